print("btatt")
