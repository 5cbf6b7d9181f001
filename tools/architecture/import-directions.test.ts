import { describe, expect, it } from 'vitest'
import { DIRECTIONS, importDirections } from './import-directions.ts'
import { importsOf } from './imports.ts'
import { treeOf } from './tree.ts'

/** A tree in which every direction applies to a file; each test adds one file to it. */
const WORLD = {
  'packages/core/src/index.ts': "export { decide } from './engine/decide.ts'",
  'packages/core/package.json': '{ "exports": { "./decimal": "./src/model/decimal.ts" } }',
  'packages/core/src/engine/decide.ts': '',
  'packages/core/src/model/decimal.ts': '',
  'packages/core/src/engine/decide.test.ts': "import { it } from 'vitest'\nimport '../../sim/market.ts'",
  'packages/core/sim/market.ts': "import '../src/engine/decide.ts'\nimport '../../../testing/random.ts'",
  'packages/contract/src/index.ts': "import type { decide } from '@fairlot/core'",
  'packages/contract/src/trading.ts':
    "import { order } from './trading/trading.wire.ts'\nimport { toTicks } from '@fairlot/core/decimal'",
  'packages/contract/src/trading/trading.wire.ts': '',
  'apps/server/src/app.ts': "import './trading/routes.ts'\nimport './funds/routes.ts'",
  'apps/server/src/platform/emitter.ts': '',
  'apps/server/src/engine/queue.ts': "import { decide } from '@fairlot/core'",
  'apps/server/src/trading/routes.ts': "import '../engine/queue.ts'",
  'apps/server/src/funds/routes.ts': "import 'fastify'",
  'apps/web/src/app/router.tsx': "import '../features/market/home-screen.tsx'",
  'apps/web/src/features/market/home-screen.tsx':
    "import '@fairlot/ui/button.tsx'\nimport '../../live/socket.ts'",
  'apps/web/src/features/trading/ticket.tsx': '',
  'apps/web/src/live/connection/socket.ts': '',
  'packages/ui/package.json': '{ "exports": { "./*": "./src/*" } }',
  'packages/ui/src/button.tsx': "import 'react'\nimport { formatDecimal } from '@fairlot/core/decimal'",
  'apps/server/src/market/feeds/test-kit.ts': "import { inject } from 'vitest'",
  'apps/server/src/desk-wiring.ts': "import '../trading/routes.ts'",
  'bench/run.ts': "import '../testing/wait.ts'\nimport '../apps/server/src/app.ts'",
  'testing/wait.ts': "import '../apps/server/src/engine/queue.ts'",
  'testing/random.ts': '',
}

type Breach = { direction: string; path: string; text: string }
const BREACHES: readonly Breach[] = [
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/desk/a.ts',
    text: "import '../trading/routes.ts'",
  },
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/market/a.ts',
    text: "import './desk/halts.ts'",
  },
  { direction: 'core → anything', path: 'packages/core/src/a.ts', text: "import 'node:fs'" },
  { direction: 'core → anything', path: 'packages/core/src/a.ts', text: "import '../sim/market.ts'" },
  { direction: 'core → anything', path: 'packages/core/src/a.ts', text: "import type { z } from 'zod'" },
  {
    direction: 'core → anything',
    path: 'packages/core/src/a.ts',
    text: "export const a = () => import('@fairlot/contract')",
  },
  {
    direction: 'core layer → a higher layer',
    path: 'packages/core/src/orders/a.ts',
    text: "import type { Decision } from '../engine/decide.ts'",
  },
  {
    direction: 'core tests and simulation → the rest',
    path: 'packages/core/sim/a.ts',
    text: "import '@fairlot/contract'",
  },
  {
    direction: 'contract → anything but core',
    path: 'packages/contract/src/a.ts',
    text: "import type { App } from '@fairlot/server'",
  },
  {
    direction: 'contract → anything but core',
    path: 'packages/contract/src/a.ts',
    text: "import 'react'",
  },
  {
    direction: "contract → core's values",
    path: 'packages/contract/src/a.ts',
    text: "import { decide } from '@fairlot/core'",
  },
  {
    direction: 'anyone → wire',
    path: 'apps/web/src/live/a.ts',
    text: "import '../../../../packages/contract/src/trading/trading.wire.ts'",
  },
  {
    direction: 'anyone → wire',
    path: 'e2e/a.spec.ts',
    text: "import '../packages/contract/src/trading/trading.wire.ts'",
  },
  {
    direction: 'app → the inside of a package',
    path: 'apps/server/src/engine/a.ts',
    text: "import '@fairlot/core/src/decide.ts'",
  },
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/trading/a.ts',
    text: "import '../funds/routes.ts'",
  },
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/trading/a.ts',
    text: "export * from '../funds/routes.ts'",
  },
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/platform/a.ts',
    text: "import type { Engine } from '../engine/queue.ts'",
  },
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/platform/http/a.ts',
    text: "import type { R } from '../../trading/routes.ts'",
  },
  {
    direction: 'server layer → a higher layer',
    path: 'apps/server/src/engine/deep/a.ts',
    text: "import '../../funds/routes.ts'",
  },
  {
    direction: 'web feature → another feature',
    path: 'apps/web/src/features/market/a.ts',
    text: "import '../trading/ticket.tsx'",
  },
  {
    direction: 'live layer → a higher layer',
    path: 'apps/web/src/live/device/a.ts',
    text: "import '../connection/socket.ts'",
  },
  { direction: 'ui → our words', path: 'packages/ui/src/a.tsx', text: "import '@fairlot/contract'" },
  {
    direction: 'core, contract, server → ui',
    path: 'apps/server/src/a.ts',
    text: "import '@fairlot/ui/button.tsx'",
  },
  {
    direction: 'ui → our words',
    path: 'packages/ui/src/a.tsx',
    text: "import type { Order } from '@fairlot/core'",
  },
  {
    direction: 'live, i18n → screens',
    path: 'apps/web/src/live/a.ts',
    text: "import '../features/market/home-screen.tsx'",
  },
  {
    direction: 'app → another app',
    path: 'apps/web/src/app/a.ts',
    text: "import '../../../server/src/app.ts'",
  },
  { direction: 'app → another app', path: 'apps/server/src/a.ts', text: "import '../../desk/src/main.tsx'" },
  {
    direction: 'core tests and simulation → the rest',
    path: 'packages/core/sim/a.ts',
    text: "import '../../../testing/wait.ts'",
  },
  {
    direction: 'bench, e2e, faults, replays → each other',
    path: 'replays/a.ts',
    text: "import '../bench/run.ts'",
  },
  {
    direction: 'bench, e2e, faults, replays → each other',
    path: 'e2e/support/a.ts',
    text: "import type { Goal } from '../../bench/run.ts'",
  },
  {
    direction: "bench, e2e, faults, replays → the server's tests",
    path: 'faults/a.ts',
    text: "import '../apps/server/src/testing/build-app.ts'",
  },
  {
    direction: "bench, e2e, faults, replays → the server's tests",
    path: 'testing/a.ts',
    text: "import '../apps/server/src/market/feeds/test-kit.ts'",
  },
  { direction: 'testing → who uses it', path: 'testing/a.ts', text: "import '../bench/run.ts'" },
  {
    direction: 'product → its tests and tools',
    path: 'apps/server/src/market/a.ts',
    text: "import '../../../../testing/wait.ts'",
  },
  {
    direction: 'product → its tests and tools',
    path: 'apps/server/src/market/a.ts',
    text: "import '../testing/build-app.ts'",
  },
  {
    direction: 'product → its tests and tools',
    path: 'apps/server/src/market/a.ts',
    text: "import './feeds/test-kit.ts'",
  },
  {
    direction: 'product → its tests and tools',
    path: 'apps/server/src/engine/a.ts',
    text: "import '../../../../bench/run.ts'",
  },
  {
    direction: 'product → its tests and tools',
    path: 'apps/server/src/engine/a.ts',
    text: "import { inject } from 'vitest'",
  },
]

const reported = (files: Record<string, string>): string[] =>
  importDirections
    .check(treeOf({ ...WORLD, ...files }))
    .findings.map(({ path, message }) => `${path} ${message}`)

describe('importDirections', () => {
  it('accepts the allowed imports', () => {
    expect(reported({})).toEqual([])
  })

  it('has an example that breaks every direction', () => {
    expect([...new Set(BREACHES.map(({ direction }) => direction))].sort()).toEqual(
      DIRECTIONS.map(({ name }) => name).sort(),
    )
  })

  it.each(BREACHES)('$direction: $path must not contain $text', ({ direction, path, text }) => {
    const findings = reported({ [path]: text })
    expect(
      findings.filter((finding) => finding.startsWith(path) && finding.includes(`(${direction})`)),
    ).toHaveLength(1)
  })

  it('reports an direction that applies to no file', () => {
    const findings = importDirections.check(treeOf({ 'packages/ui/src/button.tsx': '' })).findings
    expect(findings.map(({ message }) => message)).toContain(
      'the direction "core → anything" applies to no file: correct its paths.',
    )
  })
})

describe('importsOf', () => {
  it('reads every kind of import, and ignores comments and strings', () => {
    const text = `
      import a from './a.ts'
      import type { B } from './b.ts'
      import { type C } from './c.ts'
      export * from './d.ts'
      const e = await import('./e.ts')
      type F = import('./f.ts').F
      // import './g.ts'
      const h = "import './h.ts'"`
    const tree = treeOf({ 'src/index.ts': text })
    const file = tree.get('src/index.ts')
    const imports = file ? importsOf(tree, file) : []
    expect(imports.map(({ target, isTypeOnly }) => `${target} ${isTypeOnly}`)).toEqual([
      'src/a.ts false',
      'src/b.ts true',
      'src/c.ts true',
      'src/d.ts false',
      'src/e.ts false',
      'src/f.ts true',
    ])
  })
})
