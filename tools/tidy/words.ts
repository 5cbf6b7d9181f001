/** The product's areas: the same spelling in every workspace. A new one starts with a decision record. */
export const AREAS = new Set([
  'auth',
  'user',
  'market',
  'trading',
  'funds',
  'files',
  'identity',
  'copy',
  'news',
  'invite',
  'company',
  'support',
  'settings',
])

/** What the operators' desk is about: its folders on the server and its screens. */
export const DESK_TOPICS = new Set([
  'auth',
  'operators',
  'acts',
  'approvals',
  'waiting',
  'people',
  'money',
  'files',
  'market',
  'risk',
  'content',
  'messages',
  'reports',
  'support',
  'settings',
])

/** Folders of the server that host areas and know none of them. */
export const SERVER_HOSTS = new Set([
  'engine',
  'http',
  'websocket',
  'config',
  'database',
  'feeds',
  'i18n',
  'seed',
  'testing',
  'verify',
  'notifications',
  'legal',
  'desk',
])

/** Folders of an app with screens beside `features/`; `ui` holds parts that only one app draws. */
export const WEB_HOSTS = new Set(['app', 'features', 'live', 'ui', 'i18n', 'testing'])

/** The second part of `apps/server/src/<folder>/...`; null for files that lie directly in `src`. */
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
