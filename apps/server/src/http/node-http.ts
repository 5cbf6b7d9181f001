/**
 * Node's own HTTP. Imported by its name it would hand out WebSocket too, and for that read `fetch` with all it needs: 18 MB of memory that
 * most servers never use.
 */
export const { request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
