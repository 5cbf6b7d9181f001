// Plain JavaScript for Node 20: part of `npm start`, which runs before anything is installed.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The Node that every script uses, whichever one started us. */
export const pinnedNode = (root) => join(root, 'node_modules/.bin/node')
