/** The product's areas: the same spelling in every workspace. A new one starts with a decision record. */
export const AREAS = new Set([
  'session',
  'user',
  'market',
  'trading',
  'funds',
  'identity',
  'copy',
  'news',
  'invite',
  'company',
  'support',
  'settings',
])

/** Folders of the server that host areas and know none of them. */
export const SERVER_HOSTS = new Set([
  'engine',
  'plugins',
  'database',
  'feeds',
  'i18n',
  'seed',
  'testing',
  'verify',
  'mail',
])

/** Folders of the web app beside `features/`. */
export const WEB_HOSTS = new Set(['app', 'features', 'live', 'ui', 'i18n', 'testing'])

/** The second part of `apps/server/src/<folder>/...`; null for files that lie directly in `src`. */
export const serverFolder = (path: string): string | null =>
  /^apps\/server\/src\/([^/]+)\//.exec(path)?.[1] ?? null

/** The folder of `apps/<web or desk>/src/<folder>/...`. */
export const webFolder = (path: string): string | null =>
  /^apps\/(?:web|desk)\/src\/([^/]+)\//.exec(path)?.[1] ?? null

/** The area of `apps/<web or desk>/src/features/<area>/...`. */
export const feature = (path: string): string | null =>
  /^apps\/(?:web|desk)\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null
