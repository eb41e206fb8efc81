"""The site around the text."""


def setup(app):
    # Jupyter Book sets this for an extension that the book does not load.
    app.add_config_value("comments_config", {}, "")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
