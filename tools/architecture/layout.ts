/** The areas of the web app. A new one starts with a decision record. */
export const AREAS = new Set([
  'auth',
  'user',
  'market',
  'trading',
  'funds',
  'files',
  'identity',
  'copying',
  'news',
  'invite',
  'company',
  'support',
  'settings',
])

/** Topics of the operators' desk: its folders on the server and its screens. */
export const DESK_TOPICS = new Set([
  'auth',
  'operators',
  'audit-log',
  'exports',
  'approvals',
  'waiting',
  'users',
  'money',
  'files',
  'market',
  'risk',
  'copying',
  'content',
  'messages',
  'reports',
  'support',
  'settings',
])

/** Folders of an app with screens beside `features/`; `ui` contains components of one app, `worker` its service worker. */
export const WEB_FOLDERS = new Set(['app', 'features', 'live', 'ui', 'i18n', 'worker', 'testing'])

/** The folder of `apps/server/src/<folder>/...`; null for files directly in `src`. */
export const serverFolder = (path: string): string | null =>
  /^apps\/server\/src\/([^/]+)\//.exec(path)?.[1] ?? null

/** The folder of `apps/<web or desk>/src/<folder>/...`. */
export const webFolder = (path: string): string | null =>
  /^apps\/(?:web|desk)\/src\/([^/]+)\//.exec(path)?.[1] ?? null

/** The topic of `apps/server/src/desk/<topic>/...` or `apps/desk/src/features/<topic>/...`. */
export const deskTopic = (path: string): string | null =>
  /^apps\/(?:server\/src\/desk|desk\/src\/features)\/([^/]+)\//.exec(path)?.[1] ?? null

/** The area of `apps/<web or desk>/src/features/<area>/...`. */
export const feature = (path: string): string | null =>
  /^apps\/(?:web|desk)\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null
