import { describe, expect, it } from 'vitest'
import { ARROWS } from './arrow-table.ts'
import { arrows } from './arrows.ts'
import { importsOf } from './imports.ts'
import { treeOf } from './tree.ts'

/** A world in which every arrow finds a file to start from; each test adds one file to it. */
const WORLD = {
  'packages/core/src/index.ts': "export { decide } from './decide.ts'",
  'packages/core/package.json': '{ "exports": { "./decimal": "./src/money/decimal.ts" } }',
  'packages/core/src/decide.ts': '',
  'packages/core/src/money/decimal.ts': '',
  'packages/core/src/decide.test.ts': "import { it } from 'vitest'\nimport '../sim/market.ts'",
  'packages/core/sim/market.ts': "import '../src/decide.ts'\nimport '../../../testing/random.ts'",
  'packages/contract/src/index.ts': "import type { decide } from '@fairlot/core'",
  'packages/contract/src/trading.ts':
    "import { order } from './wire/trading.ts'\nimport { toTicks } from '@fairlot/core/decimal'",
  'packages/contract/src/wire/trading.ts': '',
  'apps/server/src/app.ts': "import './trading/routes.ts'\nimport './funds/routes.ts'",
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
  'apps/server/src/feeds/test-kit.ts': "import { inject } from 'vitest'",
  'apps/server/src/desk/desk.ts': "import '../trading/routes.ts'",
  'bench/run.ts': "import '../testing/wait.ts'\nimport '../apps/server/src/app.ts'",
  'testing/wait.ts': "import '../apps/server/src/engine/queue.ts'",
  'testing/random.ts': '',
}

type Breach = { arrow: string; path: string; text: string }
const BREACHES: readonly Breach[] = [
  {
    arrow: "server → the operators' desk",
    path: 'apps/server/src/trading/a.ts',
    text: "import '../desk/desk.ts'",
  },
  { arrow: 'core → anything', path: 'packages/core/src/a.ts', text: "import 'node:fs'" },
  { arrow: 'core → anything', path: 'packages/core/src/a.ts', text: "import '../sim/market.ts'" },
  { arrow: 'core → anything', path: 'packages/core/src/a.ts', text: "import type { z } from 'zod'" },
  {
    arrow: 'core → anything',
    path: 'packages/core/src/a.ts',
    text: "export const a = () => import('@fairlot/contract')",
  },
  {
    arrow: 'core tests and simulation → the rest',
    path: 'packages/core/sim/a.ts',
    text: "import '@fairlot/contract'",
  },
  {
    arrow: 'contract → anything but core',
    path: 'packages/contract/src/a.ts',
    text: "import type { App } from '@fairlot/server'",
  },
  {
    arrow: 'contract → anything but core',
    path: 'packages/contract/src/a.ts',
    text: "import 'react'",
  },
  {
    arrow: "contract → core's values",
    path: 'packages/contract/src/a.ts',
    text: "import { decide } from '@fairlot/core'",
  },
  {
    arrow: 'anyone → wire',
    path: 'apps/web/src/live/a.ts',
    text: "import '../../../../packages/contract/src/wire/trading.ts'",
  },
  {
    arrow: 'anyone → wire',
    path: 'e2e/a.spec.ts',
    text: "import '../packages/contract/src/wire/trading.ts'",
  },
  {
    arrow: 'app → the inside of a package',
    path: 'apps/server/src/engine/a.ts',
    text: "import '@fairlot/core/src/decide.ts'",
  },
  {
    arrow: 'server area → another area',
    path: 'apps/server/src/trading/a.ts',
    text: "import '../funds/routes.ts'",
  },
  {
    arrow: 'server area → another area',
    path: 'apps/server/src/trading/a.test.ts',
    text: "export * from '../funds/routes.ts'",
  },
  {
    arrow: 'engine, http, feeds → an area',
    path: 'apps/server/src/http/a.ts',
    text: "import type { R } from '../trading/routes.ts'",
  },
  {
    arrow: 'engine, http, feeds → an area',
    path: 'apps/server/src/feeds/deep/a.ts',
    text: "import '../../market/routes.ts'",
  },
  {
    arrow: 'web feature → another feature',
    path: 'apps/web/src/features/market/a.ts',
    text: "import '../trading/ticket.tsx'",
  },
  { arrow: 'ui → our words', path: 'packages/ui/src/a.tsx', text: "import '@fairlot/contract'" },
  {
    arrow: 'core, contract, server → ui',
    path: 'apps/server/src/a.ts',
    text: "import '@fairlot/ui/button.tsx'",
  },
  {
    arrow: 'ui → our words',
    path: 'packages/ui/src/a.tsx',
    text: "import type { Order } from '@fairlot/core'",
  },
  {
    arrow: 'live, i18n → screens',
    path: 'apps/web/src/live/a.ts',
    text: "import '../features/market/home-screen.tsx'",
  },
  { arrow: 'app → another app', path: 'apps/web/src/app/a.ts', text: "import '../../../server/src/app.ts'" },
  { arrow: 'app → another app', path: 'apps/server/src/a.ts', text: "import '../../desk/src/main.tsx'" },
  {
    arrow: 'core tests and simulation → the rest',
    path: 'packages/core/sim/a.ts',
    text: "import '../../../testing/wait.ts'",
  },
  {
    arrow: 'bench, e2e, faults, replays → each other',
    path: 'replays/a.ts',
    text: "import '../bench/run.ts'",
  },
  {
    arrow: 'bench, e2e, faults, replays → each other',
    path: 'e2e/support/a.ts',
    text: "import type { Goal } from '../../bench/run.ts'",
  },
  {
    arrow: "bench, e2e, faults, replays → the server's tests",
    path: 'faults/a.ts',
    text: "import '../apps/server/src/testing/build-app.ts'",
  },
  {
    arrow: "bench, e2e, faults, replays → the server's tests",
    path: 'testing/a.ts',
    text: "import '../apps/server/src/feeds/test-kit.ts'",
  },
  { arrow: 'testing → who uses it', path: 'testing/a.ts', text: "import '../bench/run.ts'" },
  {
    arrow: 'product → its tests and tools',
    path: 'apps/server/src/feeds/a.ts',
    text: "import '../../../../testing/wait.ts'",
  },
  {
    arrow: 'product → its tests and tools',
    path: 'apps/server/src/feeds/a.ts',
    text: "import '../testing/build-app.ts'",
  },
  {
    arrow: 'product → its tests and tools',
    path: 'apps/server/src/feeds/a.ts',
    text: "import './test-kit.ts'",
  },
  {
    arrow: 'product → its tests and tools',
    path: 'apps/server/src/engine/a.ts',
    text: "import '../../../../bench/run.ts'",
  },
  {
    arrow: 'product → its tests and tools',
    path: 'apps/server/src/engine/a.ts',
    text: "import { inject } from 'vitest'",
  },
]

const reported = (files: Record<string, string>): string[] =>
  arrows.look(treeOf({ ...WORLD, ...files })).findings.map(({ path, message }) => `${path} ${message}`)

describe('arrows', () => {
  it('lets the allowed imports pass', () => {
    expect(reported({})).toEqual([])
  })

  it('has a planted breach for every arrow', () => {
    expect([...new Set(BREACHES.map(({ arrow }) => arrow))].sort()).toEqual(
      ARROWS.map(({ name }) => name).sort(),
    )
  })

  it.each(BREACHES)('$arrow: $path refuses $text', ({ arrow, path, text }) => {
    const findings = reported({ [path]: text })
    expect(
      findings.filter((finding) => finding.startsWith(path) && finding.includes(`(${arrow})`)),
    ).toHaveLength(1)
  })

  it('reports an arrow that starts nowhere', () => {
    const findings = arrows.look(treeOf({ 'packages/ui/src/button.tsx': '' })).findings
    expect(findings.map(({ message }) => message)).toContain(
      'the arrow "core → anything" starts at no file: correct its paths.',
    )
  })
})

describe('importsOf', () => {
  it('reads every way to import, and nothing out of comments and texts', () => {
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
