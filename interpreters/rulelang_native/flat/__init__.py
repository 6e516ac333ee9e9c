"""The flat form: its classes, what is sound (`verify`), and how it is listed (`printer`)."""
