// ATT
