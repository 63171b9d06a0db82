"""placeholder"""
def check_scenarios(rules): return []
