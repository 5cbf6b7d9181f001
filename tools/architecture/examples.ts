/** Examples for each rule. A rule without an entry here fails the test. */
export type Example = {
  /** Files that the rule must report. */
  readonly bad: Readonly<Record<string, string>>
  /** Similar files that the rule must accept. */
  readonly good: Readonly<Record<string, string>>
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  importCycles: {
    bad: {
      // One cycle of value and type imports, one of type imports alone.
      'packages/core/src/state.ts': "import './evolve.ts'",
      'packages/core/src/evolve.ts': "import type { State } from './decide.ts'",
      'packages/core/src/decide.ts': "export type { State } from './state.ts'",
      'apps/server/src/engine/queue.ts': "import type { Batch } from './batch.ts'",
      'apps/server/src/engine/batch.ts': "export type Batch = import('./queue.ts').Waiting",
    },
    good: {
      'packages/core/src/evolve.ts': "import type { State } from './state.ts'\nimport './decide.ts'",
      'packages/core/src/decide.ts': "import type { State } from './state.ts'",
      'packages/core/src/state.ts': '',
    },
  },
  folders: {
    bad: {
      'apps/server/src/utils/money.ts': '',
      'packages/core/src/shared/money.ts': '',
      'apps/server/src/payments/routes.ts': '',
      'apps/web/src/features/wallet/wallet-screen.tsx': '',
      'apps/desk/src/features/trading/ticket.tsx': '',
      'apps/web/src/store/state.ts': '',
      'packages/ui/src/BigButton.tsx': '',
    },
    good: {
      'apps/server/src/funds/routes.ts': '',
      'apps/web/src/features/market/chart/chart-port.test.ts': '',
      'apps/desk/src/features/waiting/waiting-screen.tsx': '',
    },
  },
  'wire-words': {
    bad: {
      'apps/server/src/trading/routes.ts': 'export const a = { CautionMoney: 1 }',
      'apps/web/src/features/trading/ticket.tsx': "export const a = 'lock_balance'",
      'packages/core/src/money/margin-fee-profit.ts': '// the HazardRate of the wire\n',
      'apps/server/src/trading/routes.test.ts': "const path = '/api/quickCharge/info'",
    },
    good: {
      'packages/contract/src/trading/trading.wire.ts': 'export const a = { CautionMoney: 1 }',
      'apps/server/src/trading/routes.wire.test.ts': 'const a = { FactProfits: 1 }',
      'e2e/visitor-opens-a-demo.spec.ts': 'const a = { MemoTran: 1 }',
      'apps/server/src/trading/figures.ts': 'export const cautionMoneyless = 1',
    },
  },
  environment: {
    bad: {
      'apps/server/src/main.ts': 'start(process.env)',
      'apps/server/src/engine/queue.ts': "import { env } from 'node:process'",
      'apps/web/src/app/router.tsx': 'export const mode = process.env.MODE',
    },
    good: {
      'apps/server/src/platform/config/config.ts': 'export const port = process.env.PORT',
      'tools/dev.ts': 'export const port = process.env.PORT',
      'apps/server/src/engine/queue.ts': 'process.exitCode = 1',
    },
  },
  clock: {
    bad: {
      'packages/core/src/decide.ts': 'export const at = Date.now()',
      'packages/core/src/evolve.ts': 'export const at = new Date()',
      'packages/core/src/receipt.ts': 'export const id = Math.random()',
      'packages/contract/src/client.ts': 'export const id = globalThis.crypto.randomUUID()',
      'packages/contract/src/codec.ts': 'const now = Date.now\nexport const at = now()',
    },
    good: {
      'packages/core/src/trading-hours/trading-day.ts':
        'export const day = (at: number) => new Date(at).getUTCDay()',
      'apps/server/src/main.ts': 'export const at = Date.now()',
      'packages/core/src/orders/order.ts':
        'export const at = (quote: { Date: { now: 1 } }) => quote.Date.now',
    },
  },
  components: {
    bad: {
      'apps/web/src/features/market/home-screen.tsx': "export const load = () => fetch('/api')",
      'apps/web/src/app/tab-bar.tsx': "localStorage.setItem('a', 'b')",
      'packages/ui/src/use-theme.ts': "export const theme = () => window.sessionStorage.getItem('theme')",
      'apps/web/src/features/trading/ticket.tsx': "export const socket = new WebSocket('/v1/ws')",
    },
    good: {
      'apps/web/src/live/connection/socket.ts': "export const socket = new WebSocket('/v1/ws')",
      'apps/web/src/features/market/queries.ts': "export const load = () => fetch('/api')",
      'apps/web/src/app/guard.tsx': 'export const load = (query: { fetch: () => void }) => query.fetch()',
    },
  },
  'left-overs': {
    bad: {
      'packages/core/src/decide.ts': `// ${'TO' + 'DO'} later`,
      'tools/dev.ts': `/* ${'FIX' + 'ME'} */`,
    },
    good: { 'packages/core/src/decide.ts': '// Todos los santos' },
  },
  'unused-files': {
    bad: {
      'packages/core/src/forgotten.ts': '',
      'apps/server/src/engine/lonely.ts': "import './lonely.ts'",
      'e2e/visitor-opens-a-demo.test.ts': '',
      'apps/server/src/engine/queue.spec.ts': '',
    },
    good: {
      'package.json': '{ "scripts": { "sim": "node packages/core/sim/run.ts" } }',
      'packages/core/sim/run.ts': "import '../src/decide.ts'",
      'packages/core/src/decide.ts': "export const worker = new URL('./worker.ts', import.meta.url)",
      'packages/core/src/worker.ts': '',
      'apps/web/index.html': '<script type="module" src="/src/main.tsx"></script>',
      'apps/web/src/main.tsx': "void import('./app/router.tsx')",
      'apps/web/src/app/router.tsx': '',
      'packages/core/src/fixture.ts': '',
      'packages/core/src/decide.test.ts': "import './fixture.ts'",
      'e2e/visitor-opens-a-demo.spec.ts': "import './support/page.ts'",
      'e2e/support/page.ts': '',
      'e2e/support/page.test.ts': '',
    },
  },
  'default-exports': {
    bad: {
      'apps/server/src/app.ts': 'export default function app() {}',
      'apps/server/src/main.ts': 'const main = 1\nexport default main',
      'apps/web/src/main.tsx': 'const main = 1\nexport { main as default }',
    },
    good: { 'vitest.config.ts': 'export default {}', 'apps/server/src/app.ts': 'export const app = 1' },
  },
  barrels: {
    bad: { 'apps/server/src/engine/index.ts': "export * from './queue.ts'\nexport { a } from './store.ts'" },
    good: {
      'packages/core/src/index.ts': "export * from './number.ts'",
      'apps/server/src/engine/queue.ts': "export * from './store.ts'\nexport const a = 1",
    },
  },
  suppressions: {
    bad: {
      'packages/core/src/decide.ts': '// oxlint-disable-next-line no-console',
      'packages/core/src/evolve.ts': `// ${'@ts-'}ignore because`,
      'packages/core/src/state.ts': `// ${'@ts-'}expect-error\n`,
    },
    good: {
      'packages/core/src/decide.ts':
        '// oxlint-disable-next-line no-console -- the program prints its result',
      'packages/core/src/state.ts': `// ${'@ts-'}expect-error a price is not an amount`,
    },
  },
  'unused-messages': {
    bad: {
      'apps/web/src/i18n/messages/en.json': '{ "trade": { "buy": "Buy" } }',
      'apps/server/src/platform/i18n/en.json': '{ "notice": { "expired": { "title": "Over" } } }',
    },
    good: {
      'apps/web/src/i18n/messages/en.json':
        '{ "trade": { "buy": "Buy", "sell": "Sell", "reason": { "expired": "Over" } } }',
      'apps/web/src/features/trading/ticket.tsx':
        "const t = useTranslations('trade')\nexport const a = [t(isBuy ? 'buy' : 'sell'), t(`reason.${why}`)]",
    },
  },
  'wire-fields': {
    bad: {
      'packages/contract/src/trading/instrument.wire.ts':
        "export const brief = object({ code: ['Code', text], name: ['Name', text], picture: ['Picture', text] })",
      'apps/server/src/trading/order-queries.ts':
        "export const view = { code, name: instrument.name, picture: '' }",
    },
    good: {
      'packages/contract/src/trading/instrument.wire.ts':
        "export const brief = object({ code: ['Code', text], name: ['Name', text], logo: ['Logo', text] })",
      'apps/server/src/trading/order-queries.ts': 'export const view = { code, name: instrument.name, logo }',
      'apps/server/src/trading/refusals.ts':
        "export const none = { name: '', code: null, why, what, who, when }",
      'apps/web/src/features/trading/order-row.tsx': 'export const a = [order.code, order.name, order.logo]',
    },
  },
  words: {
    bad: {
      'packages/core/src/decide.ts': '// Orders that are living.',
      'packages/core/src/night-rates.ts': '',
      'packages/contract/src/client.ts': 'export const tellPrices = 1',
      'README.md': 'Whoever reads this.',
    },
    good: {
      'packages/core/src/decide.ts': '// It is told apart from the `house` account.',
      'packages/core/src/order.ts': 'export const maxLivingOrders = 1',
      'docs/decisions/0001-words.md': 'What a person is told.',
    },
  },
  'code-paths': {
    bad: {
      'docs/architecture.md':
        '### An order: 2 files\n\n1. `apps/web/src/`, the start: `main.tsx`, `gone.ts`\n',
    },
    good: {
      'docs/architecture.md': '### An order: 1 files\n\n1. `apps/web/src/`, the start: `main.tsx` (start)\n',
      'apps/web/src/main.tsx': '',
    },
  },
}
