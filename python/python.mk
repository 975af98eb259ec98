# python.mk: the Python package. The Makefile includes it.

.PHONY: python test-python
python: ## a wheel of the package gtrav with the library in it, in build/python
	$(ANY_PYTHON) -m pip --disable-pip-version-check wheel --no-deps --wheel-dir $(BUILD)/python ./python

test-python: all ## the tests of the Python package
	$(PYTEST) $(if $(MARKED),-m '$(MARKED)') tests/python
