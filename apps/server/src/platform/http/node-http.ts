/**
 * Node's HTTP module. An import by name would also evaluate its WebSocket export, which loads `fetch`: 18 MB of memory that
 * most servers never use.
 */
export const { request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
