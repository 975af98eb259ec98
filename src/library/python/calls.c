/* calls.c: makes a callable object of Python for each function of gtrav.h. A call takes a sixth of ctypes' time.
 *
 * It takes None (NULL), whole numbers, handles, and objects with memory, whose address is passed: arrays of NumPy,
 * ctypes' structs, bytes. Other threads of Python run meanwhile. If the function has a status, the call adds a
 * gtrav_error to the arguments, and raises what it says. If the function makes a handle, or counts, the call adds the
 * place for it, and returns it: a handle as a capsule, which frees it in the end. No code of Python runs then, so no
 * signal is lost.
 *
 * The functions of Python's stable ABI are declared here. So this file needs none of Python's headers, and serves
 * every Python 3. */
#include <stdint.h>
#include <stdlib.h>

#include "../../../include/gtrav.h"

/* ---- Python's stable ABI ---- */

typedef struct object object;

struct method {
    const char *name;
    object *(*call)(object *self, object *const *arguments, intptr_t count);
    int flags;
    const char *doc;
};

struct buffer {
    void *start;
    object *owner;
    intptr_t bytes, bytes_an_item;
    int read_only, dimensions;
    void *rest[5];
};

enum { METH_FASTCALL = 0x80, PyBUF_ND = 8 };
extern object _Py_NoneStruct, *PyExc_TypeError, *PyExc_OverflowError;

object *PyCFunction_NewEx(struct method *method, object *self, object *module);
object *PyCapsule_New(void *pointer, const char *name, void (*destroy)(object *));
int PyCapsule_IsValid(object *any, const char *name);
int PyCapsule_SetContext(object *capsule, void *context);
void *PyCapsule_GetContext(object *capsule);
void *PyCapsule_GetPointer(object *capsule, const char *name);
int PyObject_CheckBuffer(object *any);
int PyObject_GetBuffer(object *any, struct buffer *buffer, int flags);
void PyBuffer_Release(struct buffer *buffer);
intptr_t PyNumber_AsSsize_t(object *number, object *overflow);
object *PyBool_FromLong(long truth);
object *Py_BuildValue(const char *format, ...);
object *PyObject_CallFunction(object *callable, const char *format, ...);
object *PyErr_Occurred(void);
object *PyErr_Format(object *kind, const char *format, ...);
void Py_IncRef(object *any);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *thread);

/* ---- a call ---- */

#define MOST_ARGUMENTS 11

/* Linux's ABIs for x86-64 and AArch64 pass every number and pointer as a word, and ignore words in excess. So all
 * functions of gtrav.h, which have no other arguments, are called as if they had this type. */
typedef intptr_t any_function(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                              intptr_t, intptr_t);

struct callable {
    any_function *function;
    char result[2]; /* format for Py_BuildValue(), "b": bool, "s": status; "h", "n": also a handle or a number */
    object *raise;  /* raise(status, text) */
    void (*free_it)(void *); /* "h": frees the handle */
};

struct arguments {
    intptr_t words[MOST_ARGUMENTS];
    struct buffer buffers[MOST_ARGUMENTS];
    int num_buffers;
};

#define HANDLE "gtrav handle" /* name of the capsules of handles; their context is the function that frees them */

/* Sets a word for an object. Returns false after an error of Python. */
static bool take(struct arguments *arguments, intptr_t place, object *argument)
{
    struct buffer *buffer = &arguments->buffers[arguments->num_buffers];
    intptr_t *word = &arguments->words[place];
    if (argument == &_Py_NoneStruct)
        return true;
    if (PyObject_CheckBuffer(argument)) {
        if (PyObject_GetBuffer(argument, buffer, PyBUF_ND) != 0)
            return false;
        arguments->num_buffers++;
        *word = (intptr_t)buffer->start;
        if (buffer->dimensions > 0 || !buffer->read_only)
            return true; /* else it is a number of NumPy */
    }
    bool is_handle = PyCapsule_IsValid(argument, HANDLE);
    *word = is_handle ? (intptr_t)PyCapsule_GetPointer(argument, HANDLE)
                      : PyNumber_AsSsize_t(argument, PyExc_OverflowError);
    return *word != -1 || PyErr_Occurred() == NULL;
}

/* Frees a capsule's handle. */
static void free_handle(object *capsule)
{
    void *handle = PyCapsule_GetPointer(capsule, HANDLE);
    void (*free_it)(void *) = (void (*)(void *))PyCapsule_GetContext(capsule);
    void *thread = PyEval_SaveThread();
    free_it(handle);
    PyEval_RestoreThread(thread);
}

static object *run(const struct callable *callable, intptr_t *words, intptr_t count)
{
    gtrav_error error;
    uint64_t made = 0; /* a handle or a number */
    const char result = callable->result[0];
    bool makes = result == 'h' || result == 'n', has_status = makes || result == 's';
    error.status = GTRAV_OK;
    if (makes)
        words[count++] = (intptr_t)&made;
    if (has_status)
        words[count] = (intptr_t)&error;
    void *thread = PyEval_SaveThread();
    intptr_t found = callable->function(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
                                        words[8], words[9], words[10]);
    PyEval_RestoreThread(thread);
    if (has_status && (int)found != GTRAV_OK)
        return PyObject_CallFunction(callable->raise, "iy", (int)found, error.text);
    if (result == 'h') {
        object *capsule = PyCapsule_New((void *)made, HANDLE, free_handle);
        if (capsule == NULL)
            callable->free_it((void *)made);
        else
            PyCapsule_SetContext(capsule, (void *)callable->free_it);
        return capsule;
    }
    if (result == 'n')
        return Py_BuildValue("K", made);
    if (result == 'b')
        return PyBool_FromLong(found & 0xff); /* the other bits mean nothing */
    return Py_BuildValue(has_status ? "" : callable->result, found);
}

static object *call(object *self, object *const *objects, intptr_t count)
{
    struct arguments arguments;
    object *result = NULL;
    intptr_t place = 0;
    if (count > MOST_ARGUMENTS - 2)
        return PyErr_Format(PyExc_TypeError, "a call of the library takes at most %d arguments", MOST_ARGUMENTS - 2);
    arguments.num_buffers = 0;
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        arguments.words[i] = 0;
    while (place < count && take(&arguments, place, objects[place]))
        place++;
    if (place == count)
        result = run(PyCapsule_GetPointer(self, NULL), arguments.words, count);
    while (arguments.num_buffers-- > 0)
        PyBuffer_Release(&arguments.buffers[arguments.num_buffers]);
    return result;
}

/* Makes a callable of a function. It lives as long as the process. */
__attribute__((visibility("default"))) object *gtrav_callable(any_function *function, int result, object *raise,
                                                              void (*free_it)(void *));
object *gtrav_callable(any_function *function, int result, object *raise, void (*free_it)(void *))
{
    static struct method method = {"gtrav", call, METH_FASTCALL, NULL};
    struct callable *callable = malloc(sizeof *callable);
    if (callable == NULL)
        return Py_BuildValue("");
    *callable = (struct callable){function, {(char)result}, raise, free_it};
    Py_IncRef(raise);
    return PyCFunction_NewEx(&method, PyCapsule_New(callable, NULL, NULL), NULL);
}
