/* icuuc.dll for Wine, which lacks it: Windows 10 has it since 2017, and Qt6Core.dll does
 * not load without it. Qt opens a converter for each encoding that it does not know
 * itself; here none can be opened, and all other functions are never called.
 */

#define EXPORT __declspec(dllexport)

EXPORT void *ucnv_open(const char *name, int *status)
{
    (void)name;
    *status = 4; /* U_FILE_ACCESS_ERROR */
    return 0;
}

EXPORT int ucnv_countAvailable(void)
{
    return 0;
}

#define NEVER_CALLED(name) EXPORT void *name(void) { return 0; }

NEVER_CALLED(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
NEVER_CALLED(UCNV_TO_U_CALLBACK_SUBSTITUTE)
NEVER_CALLED(ucnv_cbFromUWriteUChars)
NEVER_CALLED(ucnv_cbToUWriteUChars)
NEVER_CALLED(ucnv_close)
NEVER_CALLED(ucnv_fromUCountPending)
NEVER_CALLED(ucnv_fromUnicode)
NEVER_CALLED(ucnv_getAvailableName)
NEVER_CALLED(ucnv_getFromUCallBack)
NEVER_CALLED(ucnv_getMaxCharSize)
NEVER_CALLED(ucnv_getName)
NEVER_CALLED(ucnv_getStandardName)
NEVER_CALLED(ucnv_getToUCallBack)
NEVER_CALLED(ucnv_reset)
NEVER_CALLED(ucnv_setFromUCallBack)
NEVER_CALLED(ucnv_setToUCallBack)
NEVER_CALLED(ucnv_toUCountPending)
NEVER_CALLED(ucnv_toUnicode)
