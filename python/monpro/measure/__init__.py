"""How measurements are made: prediction, timing, OpenSSL as the independent party."""
