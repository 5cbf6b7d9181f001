import type { Import } from './imports.ts'
import { isTest, isTestSupport } from './tree.ts'
import { AREAS, feature, serverFolder, webFolder } from './words.ts'

/** An import that must never exist. */
export type Arrow = {
  readonly name: string
  readonly from: (path: string) => boolean
  readonly isForbidden: (target: Import, from: string) => boolean
  readonly instead: string
}

const below =
  (...folders: string[]) =>
  (path: string | null): boolean =>
    path !== null && folders.some((folder) => path.startsWith(folder))

const inCore = below('packages/core/src/')
const inContract = below('packages/contract/src/')
const inWire = below('packages/contract/src/wire/')
const inApps = below('apps/')
const inSource = (path: string): boolean => /^(apps|packages)\/[^/]+\/src\//.test(path)
const inDevelopment = below('tools/', 'e2e/', 'bench/', 'faults/', 'nights/')
const isArea = (folder: string | null): boolean => folder !== null && AREAS.has(folder)
const isPackage = ({ specifier, target }: Import, ...names: string[]): boolean =>
  target === null && names.includes(specifier)
const isOfTests = (path: string): boolean => isTest(path) || isTestSupport(path)
const workspaceOf = (path: string): string => path.split('/').slice(0, 2).join('/')
const TEST_TOOLS = ['vitest', 'fast-check']
const isTestTool = (target: Import): boolean =>
  isPackage(target, ...TEST_TOOLS) || target.specifier.startsWith('node:')

const CORE_ARROWS: readonly Arrow[] = [
  {
    name: 'core → anything',
    from: (path) => inCore(path) && !isOfTests(path),
    isForbidden: ({ target }) => !inCore(target) || isOfTests(target ?? ''),
    instead: 'the core is pure: take the value as a parameter, or do this in the server',
  },
  {
    name: 'core tests and simulation → the rest',
    from: (path) => below('packages/core/')(path) && (isOfTests(path) || !inCore(path)),
    isForbidden: (target) => !below('packages/core/')(target.target) && !isTestTool(target),
    instead: 'the core is tested alone: use its own source, node:, vitest and fast-check',
  },
]

const CONTRACT_ARROWS: readonly Arrow[] = [
  {
    name: 'contract → anything but core and zod',
    from: (path) => inContract(path) && !isOfTests(path),
    isForbidden: (target) =>
      !inContract(target.target) &&
      target.target !== 'packages/core/src/index.ts' &&
      !/^zod(\/|$)/.test(target.specifier),
    instead: 'both ends share the contract: keep fetch, sockets and the server in the apps and pass them in',
  },
  {
    name: "contract → core's values",
    from: (path) => inContract(path) && !isOfTests(path),
    isForbidden: ({ target, isTypeOnly }) => below('packages/core/')(target) && !isTypeOnly,
    instead: "use `import type`: the contract needs core's types only, so a client carries no trading rules",
  },
  {
    name: 'anyone → wire',
    from: (path) => !inContract(path),
    isForbidden: ({ target }) => inWire(target),
    instead: "import the clean name from '@fairlot/contract'; the wire's odd names stay in its wire folder",
  },
  {
    name: 'app → the inside of a package',
    from: inApps,
    isForbidden: ({ specifier, target }) =>
      below('packages/')(target) && !/^@fairlot\/[^/]+$/.test(specifier),
    instead: "import from '@fairlot/core' or '@fairlot/contract'; export it in the package's index.ts first",
  },
]

const SERVER_ARROWS: readonly Arrow[] = [
  {
    name: 'server area → another area',
    from: (path) => isArea(serverFolder(path)),
    isForbidden: ({ target }, from) =>
      isArea(serverFolder(target ?? '')) && serverFolder(target ?? '') !== serverFolder(from),
    instead: 'let app.ts hand over what both need, or move the shared part to engine, plugins or feeds',
  },
  {
    name: 'engine, plugins, feeds → an area',
    from: (path) => serverFolder(path) !== null && !isArea(serverFolder(path)),
    isForbidden: ({ target }) => isArea(serverFolder(target ?? '')),
    instead:
      'a host does not know its guests: let the area register itself, or take a function as a parameter',
  },
]

const WEB_ARROWS: readonly Arrow[] = [
  {
    name: 'web feature → another feature',
    from: (path) => feature(path) !== null,
    isForbidden: ({ target }, from) =>
      feature(target ?? '') !== null && feature(target ?? '') !== feature(from),
    instead: 'compose the two in app/, or move what both need to live/ or ui/',
  },
  {
    name: 'ui → our words',
    from: (path) => webFolder(path) === 'ui',
    isForbidden: ({ target }) => target !== null && webFolder(target) !== 'ui',
    instead: 'ui/ knows no domain: take plain values and callbacks as properties',
  },
  {
    name: 'live, i18n → screens',
    from: (path) => ['live', 'i18n'].includes(webFolder(path) ?? ''),
    isForbidden: ({ target }) => ['app', 'features'].includes(webFolder(target ?? '') ?? ''),
    instead: 'data does not know its screens: let the screen subscribe',
  },
]

const APP_ARROWS: readonly Arrow[] = [
  {
    name: 'app → another app',
    from: inApps,
    isForbidden: ({ target }, from) => inApps(target) && workspaceOf(target ?? '') !== workspaceOf(from),
    instead: 'what two apps share goes through the contract',
  },
  {
    name: 'product → its tests and tools',
    from: (path) => inSource(path) && !isOfTests(path),
    isForbidden: (target) =>
      inDevelopment(target.target) || isOfTests(target.target ?? '') || isPackage(target, ...TEST_TOOLS),
    instead: 'the product does not know its tests: move the needed part into the product',
  },
]

export const ARROWS: readonly Arrow[] = [
  ...CORE_ARROWS,
  ...CONTRACT_ARROWS,
  ...SERVER_ARROWS,
  ...WEB_ARROWS,
  ...APP_ARROWS,
]
