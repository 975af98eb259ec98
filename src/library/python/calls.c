/* calls.c: makes a callable object of Python for each function of gtrav.h, in place of ctypes' functions, which take
 * four times as long for a call.
 *
 * A call takes None (NULL), whole numbers, and objects with memory, whose address is passed: arrays of NumPy, ctypes'
 * structs, bytes. Other threads of Python run meanwhile. If the function has a status, the call passes the address of
 * a gtrav_error as the last argument, and raises what it says.
 *
 * It uses a few functions of Python's stable ABI, which this file declares itself. So it is compiled without
 * Python's headers, and one file serves every Python 3. */
#include <stdint.h>
#include <stdlib.h>

#include "../../../include/gtrav.h"

/* ---- Python's stable ABI ---- */

typedef struct object object;
typedef object *call_function(object *self, object *const *arguments, intptr_t count);

struct method {
    const char *name;
    call_function *call;
    int flags;
    const char *doc;
};
enum { METH_FASTCALL = 0x80, PyBUF_ND = 8 };

struct buffer {
    void *start;
    object *owner;
    intptr_t bytes, bytes_an_item;
    int read_only, dimensions;
    char *format;
    intptr_t *shape, *strides, *suboffsets;
    void *internal;
};

extern object _Py_NoneStruct, *PyExc_TypeError, *PyExc_OverflowError;
object *PyCFunction_NewEx(struct method *method, object *self, object *module);
object *PyCapsule_New(void *pointer, const char *name, void (*destroy)(object *));
void *PyCapsule_GetPointer(object *capsule, const char *name);
int PyObject_CheckBuffer(object *object);
int PyObject_GetBuffer(object *object, struct buffer *buffer, int flags);
void PyBuffer_Release(struct buffer *buffer);
intptr_t PyNumber_AsSsize_t(object *number, object *overflow);
object *PyLong_FromUnsignedLongLong(unsigned long long number);
object *PyBool_FromLong(long truth);
object *PyBytes_FromString(const char *text);
object *PyErr_Occurred(void);
object *PyErr_Format(object *kind, const char *format, ...);
object *PyObject_CallFunction(object *callable, const char *format, ...);
void Py_IncRef(object *object);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *thread);

/* ---- a call ---- */

#define MOST_ARGUMENTS 10

/* Linux's ABIs for x86-64 and AArch64 pass every number and pointer as a word, and ignore words in excess. So all
 * functions of gtrav.h, which have no other arguments, are called as if they had this type. */
typedef uint64_t any_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t);

struct callable {
    any_function *function;
    char result;   /* of status, text, bool, uint32, word, none: the first letter */
    object *raise; /* raise(status, text) */
};

struct arguments {
    uint64_t words[MOST_ARGUMENTS];
    struct buffer buffers[MOST_ARGUMENTS];
    int num_buffers;
};

/* Takes the address of an object's memory. Numbers of NumPy have memory, too, but without dimensions and read-only;
 * returns false for them and for objects without memory. */
static bool take_memory(struct arguments *arguments, int place, object *argument)
{
    struct buffer *buffer = &arguments->buffers[arguments->num_buffers];
    if (!PyObject_CheckBuffer(argument) || PyObject_GetBuffer(argument, buffer, PyBUF_ND) != 0)
        return false;
    if (buffer->read_only && buffer->dimensions == 0) {
        PyBuffer_Release(buffer);
        return false;
    }
    arguments->words[place] = (uintptr_t)buffer->start;
    arguments->num_buffers++;
    return true;
}

/* Sets a word for an object. Returns false after an error of Python. */
static bool take(struct arguments *arguments, int place, object *argument)
{
    if (argument == &_Py_NoneStruct || take_memory(arguments, place, argument))
        return true;
    if (PyErr_Occurred() != NULL)
        return false;
    intptr_t number = PyNumber_AsSsize_t(argument, PyExc_OverflowError);
    arguments->words[place] = (uint64_t)number;
    return number != -1 || PyErr_Occurred() == NULL;
}

static object *none(void)
{
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

static object *result_of(const struct callable *callable, uint64_t result, const gtrav_error *error)
{
    switch (callable->result) {
    case 's':
        return (int)result == GTRAV_OK ? none()
                                       : PyObject_CallFunction(callable->raise, "iy", (int)result, error->text);
    case 't':
        return result == 0 ? none() : PyBytes_FromString((const char *)(uintptr_t)result);
    case 'b':
        return PyBool_FromLong((bool)(result & 0xff));
    case 'u':
        return PyLong_FromUnsignedLongLong((uint32_t)result);
    case 'w':
        return PyLong_FromUnsignedLongLong(result);
    default:
        return none();
    }
}

static object *call(object *self, object *const *objects, intptr_t count)
{
    const struct callable *callable = PyCapsule_GetPointer(self, NULL);
    struct arguments arguments;
    uint64_t *words = arguments.words;
    gtrav_error error;
    object *result = NULL;
    if (count >= MOST_ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "a call of the library takes fewer than %d arguments", MOST_ARGUMENTS);
    arguments.num_buffers = 0;
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        words[i] = 0;
    int place = 0;
    while (place < count && take(&arguments, place, objects[place]))
        place++;
    if (place == count) {
        error.status = GTRAV_OK;
        error.text[0] = '\0';
        if (callable->result == 's')
            words[count] = (uintptr_t)&error;
        void *thread = PyEval_SaveThread();
        uint64_t found = callable->function(words[0], words[1], words[2], words[3], words[4], words[5], words[6],
                                            words[7], words[8], words[9]);
        PyEval_RestoreThread(thread);
        result = result_of(callable, found, &error);
    }
    while (arguments.num_buffers-- > 0)
        PyBuffer_Release(&arguments.buffers[arguments.num_buffers]);
    return result;
}

/* Makes a callable of a function. It lives as long as the process. */
__attribute__((visibility("default"))) object *gtrav_callable(any_function *function, const char *result,
                                                              object *raise);
object *gtrav_callable(any_function *function, const char *result, object *raise)
{
    static struct method method = {"gtrav", call, METH_FASTCALL, NULL};
    struct callable *callable = malloc(sizeof *callable);
    if (callable == NULL)
        return none();
    *callable = (struct callable){function, result[0], raise};
    Py_IncRef(raise);
    return PyCFunction_NewEx(&method, PyCapsule_New(callable, NULL, NULL), NULL);
}
