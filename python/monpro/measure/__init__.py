"""How measurements are made: prediction, timing, and OpenSSL as the independent party."""
