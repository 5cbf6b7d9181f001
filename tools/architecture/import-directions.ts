import { type Import, importsOf } from './imports.ts'
import { isTest, isTestSupport, isWire, codeFiles, type Tree, type TreeFile } from './tree.ts'
import { feature, serverFolder, webFolder } from './layout.ts'
import type { Finding, Rule } from './rule.ts'

/** A forbidden import. */
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
/** Exact numbers contain no trading rules, so light bundles may include them. */
const isExactNumber = (path: string | null): boolean =>
  path !== null && /^packages\/core\/src\/model\/(decimal|number|percent|rounding)\.ts$/.test(path)
const inContract = below('packages/contract/src/')
const inWire = (path: string | null): boolean => path !== null && isWire(path)
const inUi = below('packages/ui/src/')
const inApps = below('apps/')
const inSource = (path: string): boolean => /^(apps|packages)\/[^/]+\/src\//.test(path)
/** Programs that test the whole product: they share only `testing/`. */
const RUNNERS = ['e2e/', 'bench/', 'faults/', 'replays/']
const inRunner = below(...RUNNERS)
const inTesting = below('testing/')
const inDevelopment = below('tools/', 'testing/', ...RUNNERS)
const isPackage = ({ specifier, target }: Import, ...names: string[]): boolean =>
  target === null && names.includes(specifier)
const isOfTests = (path: string): boolean => isTest(path) || isTestSupport(path)
const workspaceOf = (path: string): string => path.split('/').slice(0, 2).join('/')
const TEST_TOOLS = ['vitest', 'fast-check']
const isTestTool = (target: Import): boolean =>
  isPackage(target, ...TEST_TOOLS) || target.specifier.startsWith('node:')

/** The layers of the core: a folder imports itself and those before it. */
const CORE_LAYERS = [
  'calendar',
  'model',
  'state',
  'money',
  'market',
  'accounts',
  'margin',
  'operators',
  'orders',
  'alerts',
  'payments',
  'copying',
  'terms',
  'engine',
]
/** The layer of a core file; files directly in `src` are above all, unknown folders below all. */
const coreLayer = (path: string): number => {
  const folder = /^packages\/core\/src\/([^/]+)\//.exec(path)?.[1]
  return folder === undefined ? CORE_LAYERS.length : CORE_LAYERS.indexOf(folder)
}

const CORE_ARROWS: readonly Arrow[] = [
  {
    name: 'core layer → a higher layer',
    from: (path) => inCore(path) && !isOfTests(path),
    isForbidden: ({ target }, from) =>
      target !== null && inCore(target) && !isOfTests(target) && coreLayer(target) > coreLayer(from),
    instead: `move what both need down; the layers are ${CORE_LAYERS.join(', ')}`,
  },
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
    instead:
      "import the clean name from '@fairlot/contract'; the wire's odd names stay in its .wire.ts files",
  },
  {
    name: 'app → the inside of a package',
    from: inApps,
    isForbidden: ({ specifier, target }) =>
      below('packages/')(target) &&
      !inUi(target) &&
      !/^@fairlot\/[^/]+(\/[a-z]+|\/labels\/[a-z]+\.json)?$/.test(specifier),
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
    instead: 'only the apps with screens use ui',
  },
]

/**
 * The folders of the server, lowest first: each imports itself and those before it. Files directly in `src` may
 * import all.
 */
export const SERVER_LAYERS = [
  'platform',
  'seed',
  'engine',
  'notices',
  'market',
  'deployment',
  'desk',
  'trading',
  'content',
  'support',
  'funds',
  'accounts',
  'copying',
  'risk',
  'settings',
  'verify',
  'commands',
  'testing',
]
/** An area's `desk` folder contains its calls for operators, so it is at least as high as the desk. */
const serverLayer = (path: string): number => {
  const folder = serverFolder(path)
  if (folder === null) return SERVER_LAYERS.length
  const layer = SERVER_LAYERS.indexOf(folder)
  return /^apps\/server\/src\/[^/]+\/desk\//.test(path)
    ? Math.max(layer, SERVER_LAYERS.indexOf('desk'))
    : layer
}

const SERVER_ARROWS: readonly Arrow[] = [
  {
    name: 'server layer → a higher layer',
    from: (path) => serverFolder(path) !== null && !isOfTests(path),
    isForbidden: ({ target }, from) =>
      target !== null &&
      below('apps/server/src/')(target) &&
      !isOfTests(target) &&
      serverLayer(target) > serverLayer(from),
    instead: `the layers are ${SERVER_LAYERS.join(', ')}: let the higher one register itself, or take a function as a parameter`,
  },
]

/** Folders of the web app's live data, lowest first. */
const LIVE_LAYERS = ['device', 'requests', 'connection', 'market', 'account', 'session']
const liveLayer = (path: string | null): number =>
  LIVE_LAYERS.indexOf(/^apps\/web\/src\/live\/([^/]+)\//.exec(path ?? '')?.[1] ?? '')

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
  {
    name: 'live layer → a higher layer',
    from: (path) => liveLayer(path) >= 0 && !isOfTests(path),
    isForbidden: ({ target }, from) => liveLayer(target) > liveLayer(from),
    instead: `the layers of live/ are ${LIVE_LAYERS.join(', ')}, the lowest first: let the higher one subscribe`,
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

export const DIRECTIONS: readonly Arrow[] = [
  ...CORE_ARROWS,
  ...CONTRACT_ARROWS,
  ...UI_ARROWS,
  ...SERVER_ARROWS,
  ...WEB_ARROWS,
  ...APP_ARROWS,
  ...TESTING_ARROWS,
]

function findingsFor(tree: Tree, direction: Arrow, file: TreeFile): Finding[] {
  return importsOf(tree, file)
    .filter((target) => direction.isForbidden(target, file.path))
    .map(({ line, specifier }) => ({
      path: file.path,
      line,
      message: `must not import '${specifier}' (${direction.name}): ${direction.instead}.`,
    }))
}

/** An direction that applies to no file would check nothing, so it is reported. */
function checkArrow(tree: Tree, direction: Arrow): Finding[] {
  const files = codeFiles(tree, direction.from)
  if (files.length > 0) return files.flatMap((file) => findingsFor(tree, direction, file))
  const message = `the direction "${direction.name}" applies to no file: correct its paths.`
  return [{ path: 'tools/architecture/import-directions.ts', message }]
}

export const importDirections: Rule = {
  name: 'importDirections',
  description: 'Imports go one way: core ← contract ← apps, areas and features apart, hosts before guests.',
  check: (tree) => ({
    checked: codeFiles(tree).reduce((sum, file) => sum + importsOf(tree, file).length, 0),
    findings: DIRECTIONS.flatMap((direction) => checkArrow(tree, direction)),
  }),
}
