def run(place):
    return {}
