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
/** Exact numbers: no trading rule is in them, so what must stay light may have them. */
const isExactNumber = (path: string | null): boolean =>
  path !== null && /^packages\/core\/src\/money\/(decimal|number|percent)\.ts$/.test(path)
const inContract = below('packages/contract/src/')
const inWire = below('packages/contract/src/wire/')
const inUi = below('packages/ui/src/')
const inApps = below('apps/')
const inSource = (path: string): boolean => /^(apps|packages)\/[^/]+\/src\//.test(path)
/** Programs that try the whole: each stands alone, and what two of them need is in `testing/`. */
const RUNNERS = ['e2e/', 'bench/', 'faults/', 'replays/']
const inRunner = below(...RUNNERS)
const inTesting = below('testing/')
const inDevelopment = below('tools/', 'testing/', ...RUNNERS)
const inDeskOfServer = below('apps/server/src/desk/', 'apps/server/src/testing/desk.ts')
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
    isForbidden: (target) =>
      !below('packages/core/', 'testing/random.ts')(target.target) && !isTestTool(target),
    instead: 'the core is tested alone: use its own source, testing/random.ts, node:, vitest and fast-check',
  },
]

const CONTRACT_ARROWS: readonly Arrow[] = [
  {
    name: 'contract → anything but core',
    from: (path) => inContract(path) && !isOfTests(path),
    isForbidden: (target) =>
      !inContract(target.target) &&
      target.target !== 'packages/core/src/index.ts' &&
      !isExactNumber(target.target),
    instead: 'both ends share the contract: keep fetch, sockets and the server in the apps and pass them in',
  },
  {
    name: "contract → core's values",
    from: (path) => inContract(path) && !isOfTests(path),
    isForbidden: ({ target, isTypeOnly }) =>
      below('packages/core/')(target) && !isTypeOnly && !isExactNumber(target),
    instead:
      "use `import type`: of core's values the contract needs exact numbers only, so a client carries no trading rules",
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
      below('packages/')(target) && !inUi(target) && !/^@fairlot\/[^/]+(\/[a-z]+)?$/.test(specifier),
    instead: "import from '@fairlot/core' or '@fairlot/contract'; export it in the package's index.ts first",
  },
]

const UI_ARROWS: readonly Arrow[] = [
  {
    name: 'ui → our words',
    from: inUi,
    isForbidden: ({ target }) => target !== null && !inUi(target) && !isExactNumber(target),
    instead: 'ui knows no domain: take plain values and callbacks as properties',
  },
  {
    name: 'core, contract, server → ui',
    from: (path) => inCore(path) || inContract(path) || below('apps/server/')(path),
    isForbidden: ({ target }) => inUi(target),
    instead: 'what is drawn is the business of the apps with screens',
  },
]

const SERVER_ARROWS: readonly Arrow[] = [
  {
    name: 'server area → another area',
    from: (path) => isArea(serverFolder(path)),
    isForbidden: ({ target }, from) =>
      isArea(serverFolder(target ?? '')) && serverFolder(target ?? '') !== serverFolder(from),
    instead: 'let app.ts hand over what both need, or move the shared part to engine, http or feeds',
  },
  {
    name: 'engine, http, feeds → an area',
    // The desk stands above all areas: it shows and does what they can.
    from: (path) => serverFolder(path) !== null && !isArea(serverFolder(path)) && !inDeskOfServer(path),
    isForbidden: ({ target }) => isArea(serverFolder(target ?? '')),
    instead:
      'a host does not know its guests: let the area register itself, or take a function as a parameter',
  },
  {
    name: "server → the operators' desk",
    from: (path) => serverFolder(path) !== null && !inDeskOfServer(path),
    isForbidden: ({ target }) => inDeskOfServer(target),
    instead:
      'nobody but app.ts and what starts the server knows the desk: let it subscribe, or hand it what it needs',
  },
]

const WEB_ARROWS: readonly Arrow[] = [
  {
    name: 'web feature → another feature',
    from: (path) => feature(path) !== null,
    isForbidden: ({ target }, from) =>
      feature(target ?? '') !== null && feature(target ?? '') !== feature(from),
    instead: 'compose the two in app/, or move what both need to live/ or packages/ui',
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

const folderOf = (path: string | null): string | undefined => path?.split('/')[0]

const TESTING_ARROWS: readonly Arrow[] = [
  {
    name: 'bench, e2e, faults, replays → each other',
    from: inRunner,
    isForbidden: ({ target }, from) => inRunner(target) && folderOf(target) !== folderOf(from),
    instead: 'what two of them need lives in testing/',
  },
  {
    name: "bench, e2e, faults, replays → the server's tests",
    from: (path) => inRunner(path) || inTesting(path),
    isForbidden: ({ target }) => below('apps/')(target) && isOfTests(target ?? ''),
    instead: "move it to testing/, where the server's tests find it too",
  },
  {
    name: 'testing → who uses it',
    from: inTesting,
    isForbidden: ({ target }) => inRunner(target),
    instead: 'testing/ does not know its users: move the needed part there',
  },
]

export const ARROWS: readonly Arrow[] = [
  ...CORE_ARROWS,
  ...CONTRACT_ARROWS,
  ...UI_ARROWS,
  ...SERVER_ARROWS,
  ...WEB_ARROWS,
  ...APP_ARROWS,
  ...TESTING_ARROWS,
]
