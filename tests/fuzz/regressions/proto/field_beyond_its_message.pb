
me"
e
rcustom-callâfÚ{}"²P