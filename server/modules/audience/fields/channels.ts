/** The values of a field are to be read as its type. */
export const fieldsChannel = 'dovepost_typed_fields';
