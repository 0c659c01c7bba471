
me#
e
rcustom-callâfÚ{"a