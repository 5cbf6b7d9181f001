import {
  getBasicInfo,
  getCompanyStatus,
  getCopy,
  getDeposit,
  getOrder,
  getOwnStrategy,
  getStrategy,
  getWithdrawal,
  listCopyLog,
  listDirectory,
  listLedgerRecords,
  listPayoutCurrencies,
  listReceivingMethods,
  listStrategies,
  listStrategyOrders,
  tryCopy,
} from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { beforeAll, expect, test } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import {
  expectToOpenAgain,
  loadFont,
  openAndClose,
  openingSources,
  SIX_SCREENS_MS,
  type Control,
  type Size,
} from '../../../../testing/opens-again.ts'
import { answerOrders, choose, DESKTOP, openApp, settled, withFakeServer } from '../testing/app.tsx'
import { openOrders, openOrderSheet, orderSheet, confirmation } from '../testing/orders.ts'
import * as copying from '../testing/copying-samples.ts'
import { answer } from '../testing/fake-server.ts'
import * as pay from '../testing/payment-samples.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

beforeAll(loadFont)

const button = (name: string | RegExp, inside: Pick<Locator, 'getByRole'> = page) =>
  inside.getByRole('button', { name })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

/** A short phone hides the bar above the candles while the ticket is open. */
const showsChartBar = ([, height]: Size) => height >= 720

const enterTrade = () => openApp('/trade')

/** Opens the trade screen with the ticket expanded. */
async function enterTicket(): Promise<void> {
  await openApp('/trade')
  await expect.element(button('Collapse the ticket')).toBeVisible()
}

async function enterPending(): Promise<void> {
  await enterTicket()
  await choose('Pending')
}

const enterOrder = async () => {
  await openOrders({ holding: [sample.position({ receipts: [sample.receipt()] })] })
  await openOrderSheet('EUR/USD')
}

const enterClosedPart = async () => {
  await openOrders({ history: [sample.closedOrder({ id: 43, parentId: 41 })] })
  await choose('History')
}

const enterRecords = async (...records: readonly ReturnType<typeof sample.ledgerRecord>[]) => {
  answer(listLedgerRecords, { records, total: records.length })
  answer(getOrder, sample.closedOrder({ receipts: [sample.receipt()] }))
  answer(getDeposit, pay.deposit({ id: 9 }))
  await openApp('/mine/history', { as: 'real' })
  // The curve of the balance is a part of its own, which may load late.
  await expect.element(page.getByText('30 days')).toBeVisible()
}

const enterWithdrawal = () => {
  answer(listPayoutCurrencies, [pay.payoutCurrency()])
  answer(listReceivingMethods, [pay.receivingMethod()])
  return openApp('/mine/withdraw', { as: 'real' })
}

const chart = () => page.getByRole('img', { name: /candles/ })
const stopLine = () => page.getByRole('slider', { name: 'Stop loss of Buy 0.10' })

const enterStrategy = (as: 'visitor' | 'demo' = 'visitor') => {
  answer(getStrategy, copying.strategy())
  answer(listStrategyOrders, { orders: [copying.strategyOrder()], total: 1 })
  return openApp('/rank/strategy?id=31', { as })
}
const enterStartCopy = () => {
  answer(getStrategy, copying.strategy())
  answer(tryCopy, copying.dryRun())
  return openApp('/rank/start?id=31', { as: 'demo' })
}

const enterCopy = () => {
  answer(getStrategy, copying.strategy())
  answer(getCopy, { copy: copying.copy(), orders: [sample.position({ lots: lots(200) })] })
  answer(listCopyLog, { entries: copying.log(), total: copying.log().length })
  return openApp('/rank/copy?id=71', { as: 'demo' })
}

const COMPANY = {
  id: 7,
  name: 'Harbour Ledger',
  subject: 'Brokerage',
  logo: '',
  url: 'https://harbour.example/',
  registeredAddress: '1 Quay',
  location: 'Hong Kong',
  email: 'desk@harbour.example',
}

const CONTROLS: readonly Control[] = [
  {
    name: 'the ticket',
    of: 'features/trading/ticket/ticket.tsx',
    enter: async () => {
      await enterTicket()
      await button('Collapse the ticket').click()
    },
    opener: () => button('Expand the ticket'),
    opened: () => page.getByRole('region', { name: 'Order ticket' }),
    closer: () => button('Collapse the ticket'),
  },
  {
    name: 'the tall chart, from the collapsed ticket',
    of: 'features/trading/trade-screen.tsx',
    enter: async () => {
      await enterTicket()
      await button('Collapse the ticket').click()
    },
    opener: () => button('Tall chart'),
    opened: () => page.getByRole('img', { name: /candles/ }),
    closer: () => button('Chart with ticket'),
  },
  {
    name: 'the tall chart, from the open ticket',
    of: 'features/trading/trade-screen.tsx',
    enter: enterTicket,
    opener: () => button('Tall chart'),
    opened: () => page.getByRole('img', { name: /candles/ }),
    closer: () => button('Chart with ticket'),
    existsOn: showsChartBar,
  },
  {
    name: 'the instruments',
    of: 'features/trading/trade-screen.tsx',
    enter: enterTrade,
    opener: () => button(/^Instruments/),
    opened: () => dialog('Choose an instrument'),
  },
  {
    name: 'the indicators',
    of: 'features/market/chart/chart-choice.tsx',
    enter: async () => {
      await enterTicket()
      await button('Collapse the ticket').click()
    },
    opener: () => button('Chart settings'),
    opened: () => dialog('Chart settings'),
  },
  {
    name: 'the leverages',
    of: 'features/trading/ticket/ticket-form.tsx',
    enter: enterTicket,
    opener: () => button('Leverage'),
    opened: () => dialog('Leverage'),
  },
  {
    name: 'the expiry of a pending order',
    of: 'features/trading/ticket/ticket-form.tsx',
    enter: enterPending,
    opener: () => button('Valid until'),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'an order',
    of: 'features/trading/orders/order-sheet.tsx',
    enter: () => openOrders({ holding: [sample.position({ receipts: [sample.receipt()] })] }),
    opener: () => page.getByRole('main').getByRole('listitem').getByRole('button').first(),
    opened: orderSheet,
  },
  ...(
    [
      ['the stops of an order', 'Set stops', 'Stops for EUR/USD'],
      ['a part of an order', 'Close part', /part of EUR\/USD/],
      ['a trailing stop', 'Trail stop', /^Trailing stop for/],
    ] as const
  ).map(([name, label, title]) => ({
    name,
    of: 'features/trading/orders/order-sheet.tsx',
    enter: enterOrder,
    opener: () => button(label, orderSheet()),
    opened: () => page.getByRole('heading', { name: title }),
    closer: () => button('Back', orderSheet()),
  })),
  ...(
    [
      ['closing a position', /^Close \+/],
      ['closing half of it', /^(Half|Close half)/],
      ['reversing it', 'Reverse'],
    ] as const
  ).map(([name, label]) => ({
    name,
    of: 'features/trading/orders/close-position.tsx',
    enter: enterOrder,
    opener: () => button(label, orderSheet()),
    opened: confirmation,
  })),
  {
    name: 'closing all positions',
    of: 'features/trading/orders/close-position.tsx',
    enter: () => openOrders({ holding: [sample.position()] }),
    opener: () => button('Close all'),
    opened: confirmation,
  },
  {
    name: 'cancelling a pending order',
    of: 'features/trading/orders/order-actions.tsx',
    enter: async () => {
      await openOrders({ pending: [sample.pendingOrder()] })
      await choose(/Pending/)
      await openOrderSheet('EUR/USD')
    },
    opener: () => button('Cancel order', orderSheet()),
    opened: confirmation,
  },
  {
    name: 'an order of the history',
    of: 'features/trading/orders/order-sheet.tsx',
    enter: enterClosedPart,
    opener: () => page.getByRole('main').getByRole('listitem').getByRole('button').first(),
    opened: orderSheet,
  },
  {
    name: 'the confirmation before resetting a demo',
    of: 'features/trading/account/reset-demo.tsx',
    enter: () => openApp('/user', { as: 'demo' }),
    opener: () => button(/^Reset/),
    opened: confirmation,
  },
  {
    name: 'the confirmation before logging out',
    of: 'features/user/logout.tsx',
    enter: () => openApp('/user', { as: 'real' }),
    opener: () => button('Log out'),
    opened: confirmation,
  },
  {
    name: 'the explained terms of the ticket',
    of: 'features/trading/basics/basics-button.tsx',
    enter: enterTicket,
    opener: () => button('What do these terms mean?'),
    opened: () => dialog('The terms, with your figures'),
    content: () => dialog('The terms, with your figures').getByText('Stop-out', { exact: true }),
  },
  {
    name: 'the explained terms of the account',
    of: 'features/trading/basics/basics-button.tsx',
    enter: () => openApp('/user', { as: 'real' }),
    opener: () => button('What do these terms mean?'),
    opened: () => dialog('The terms, with your figures'),
    content: () => dialog('The terms, with your figures').getByText('Stop-out', { exact: true }),
  },
  {
    name: 'the countries',
    of: 'features/auth/country-field.tsx',
    enter: () => openApp('/register'),
    opener: () => button(/^Country/),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the terms of use',
    of: 'features/auth/register-screen.tsx',
    enter: () => openApp('/register'),
    opener: () => button(/^Read/).first(),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the order of a transaction',
    of: 'features/trading/orders/order-sheet.tsx',
    enter: () => enterRecords(sample.ledgerRecord()),
    opener: () => page.getByRole('link', { name: /Fee of order/ }),
    opened: () => page.getByRole('dialog'),
    content: () =>
      page
        .getByRole('dialog')
        .getByText(/^Receipt/)
        .first(),
  },
  {
    name: 'the deposit of a transaction',
    of: 'app/pages/history-page.tsx',
    enter: () =>
      enterRecords(sample.ledgerRecord({ kind: 'deposit', memo: 'Deposit', orderId: null, caseId: 9 })),
    opener: () => page.getByRole('link', { name: /^Deposit/ }),
    opened: () => page.getByRole('dialog'),
    content: () => page.getByRole('dialog').getByText('TRC20').first(),
  },
  {
    name: 'the statement',
    of: 'features/funds/statement-button.tsx',
    enter: () => enterRecords(),
    opener: () => button('Statement as PDF or CSV'),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the confirmation before a withdrawal',
    of: 'features/funds/withdraw/withdraw-form.tsx',
    enter: async () => {
      await enterWithdrawal()
      await page.getByLabelText('Amount').fill('400')
    },
    opener: () => button(/^Withdraw$/, page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'the confirmation before cancelling a withdrawal',
    of: 'features/funds/withdraw/withdraw-screen.tsx',
    enter: () => {
      answer(getWithdrawal, pay.withdrawal())
      return openApp('/mine/withdraw?id=41', { as: 'real' })
    },
    opener: () => button('Cancel withdrawal', page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'the confirmation before removing a receiving method',
    of: 'features/funds/wallet/wallet-screen.tsx',
    enter: () => {
      answer(listReceivingMethods, [pay.receivingMethod()])
      return openApp('/mine/coin-address-list', { as: 'real' })
    },
    opener: () => button('Remove', page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'switching on the second factor',
    of: 'features/auth/security/second-factor-card.tsx',
    enter: () => openApp('/mine/system', { as: 'real' }),
    opener: () => button('Switch on'),
    opened: () => page.getByLabelText('Password', { exact: true }),
    closer: () => button('Cancel'),
  },
  {
    name: 'the confirmation before logging out everywhere',
    of: 'features/auth/security/sessions-card.tsx',
    enter: () => openApp('/mine/system', { as: 'real' }),
    opener: () => button('Log out everywhere'),
    opened: confirmation,
  },
  {
    name: 'the picture of a chat message',
    of: 'features/support/conversation.tsx',
    enter: () => openApp('/mine/chat', { as: 'real' }),
    opener: () => button('Add a picture'),
    opened: () => page.getByText('Picture').first(),
    closer: () => button('Without a picture'),
  },
  {
    name: 'a company',
    of: 'features/company/companies-screen.tsx',
    enter: () => {
      answer(getBasicInfo, sample.basicInfo({ appMode: 'main' }))
      answer(listDirectory, [COMPANY])
      answer(getCompanyStatus, { mustLeave: false, standing: 'open', redirectUrl: '' })
      return openApp('/product')
    },
    opener: () => page.getByRole('list', { name: 'Companies' }).getByRole('button').first(),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'a new alert of the chart',
    of: 'features/trading/alerts/alert-form.tsx',
    enter: () => openApp('/trade', { as: 'demo' }),
    opener: () => button('Set an alert'),
    opened: () => page.getByRole('dialog'),
    existsOn: showsChartBar,
  },
  {
    name: 'a new alert of the list',
    of: 'features/trading/alerts/alert-form.tsx',
    enter: () => openApp('/mine/notices?tab=alerts', { as: 'demo' }),
    opener: () => button('New alert', page.getByRole('main')),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'a price of the chart’s axis',
    of: 'features/trading/price-sheet.tsx',
    enter: () => openApp('/trade', { as: 'demo' }),
    opener: chart,
    press: () => {
      const { width, height } = chart().element().getBoundingClientRect()
      return chart().click({ position: { x: width - 20, y: height / 4 } })
    },
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'a line that was moved',
    of: 'features/trading/orders/move-line-sheet.tsx',
    enter: () => {
      answerOrders({ holding: [sample.position({ stopLoss: sample.decimal('1.084') })] })
      return openApp('/trade', { as: 'demo' })
    },
    opener: stopLine,
    press: async () => {
      ;(stopLine().element() as HTMLElement).focus()
      await userEvent.keyboard('{ArrowDown}{Enter}')
    },
    opened: () => dialog('Move the stop loss to 1.08390?'),
  },
  {
    name: 'a closed order of a strategy',
    of: 'features/trading/orders/public-order.tsx',
    enter: enterStrategy,
    opener: () => button(/EUR\/USD.*Buy 0\.10/),
    opened: () => dialog('EUR/USD'),
  },
  {
    name: 'the report of a strategy',
    of: 'features/copying/strategy-screen.tsx',
    enter: () => enterStrategy('demo'),
    opener: () => button('Report name or description'),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the rule of a flag',
    of: 'features/copying/figures.tsx',
    enter: () => {
      answer(listStrategies, { strategies: [copying.flaggedRow()], total: 1 })
      return openApp('/rank')
    },
    opener: () => button('Raises lots after losses'),
    opened: () => page.getByText(/within a day of a loss/),
    closer: () => button('Raises lots after losses'),
  },
  {
    name: 'the orders of a dry run',
    of: 'features/copying/dry-run.tsx',
    enter: enterStartCopy,
    opener: () => button('Show the 20 closed orders'),
    opened: () => page.getByText(/below the smallest lot/).first(),
    closer: () => button('Hide the orders'),
  },
  {
    name: 'the confirmation before copying',
    of: 'features/copying/start-copy-screen.tsx',
    enter: enterStartCopy,
    opener: () => button('Start copying', page.getByRole('main')),
    opened: confirmation,
  },
  ...(
    [
      ['money for a copy', 'Add or take out money'],
      ['the stop loss of a copy', /^Change$/],
      ['the terms of a copy', 'Change how it copies'],
    ] as const
  ).map(([name, label]) => ({
    name,
    of: 'features/copying/copy-screen.tsx',
    enter: enterCopy,
    opener: () => button(label, page.getByRole('main')),
    opened: () => page.getByRole('dialog'),
  })),
  ...(
    [
      ['closing a position of a copy', 'Close 0.02 EUR/USD'],
      ['the confirmation before stopping a copy', /^Stop$/],
    ] as const
  ).map(([name, label]) => ({
    name,
    of: 'features/copying/copy-screen.tsx',
    enter: enterCopy,
    opener: () => button(label, page.getByRole('main')),
    opened: confirmation,
  })),
  {
    name: 'an order of a copy',
    of: 'features/trading/orders/order-record.tsx',
    enter: enterCopy,
    opener: () => button(/EUR\/USD.*Buy/, page.getByRole('main')).first(),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the confirmation before publishing a strategy',
    of: 'features/copying/own-strategy-screen.tsx',
    enter: async () => {
      await openApp('/mine/strategy', { as: 'demo' })
      await page.getByLabelText('Name').fill('Tidewater')
      await page.getByLabelText('Performance fee, percent').fill('12.5')
    },
    opener: () => button(/^Publish$/, page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'the confirmation before ending a strategy',
    of: 'features/copying/own-strategy-screen.tsx',
    enter: () => {
      answer(getOwnStrategy, copying.published())
      return openApp('/mine/strategy', { as: 'demo' })
    },
    opener: () => button('End the strategy', page.getByRole('main')),
    opened: confirmation,
  },
]

/** Sources with an overlay that no phone opens by a control. */
const WITHOUT_CONTROL = [
  // The list of shortcuts opens by a key.
  'app/shell.tsx',
  // The dialog of an external service is the screen itself.
  'features/support/chat-screen.tsx',
]

const SOURCES = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true })

test('every source that opens something has its control here', () => {
  const opening = openingSources(SOURCES, /@fairlot\/ui\/overlays\/|aria-expanded/)
  expect(opening.length).toBeGreaterThan(0)
  const named = [...WITHOUT_CONTROL, ...CONTROLS.map(({ of }) => of)]
  expect(opening.filter((path) => !named.includes(path))).toEqual([])
})

test.each(CONTROLS)(
  '$name reopens with the same layout and leaves the screen unchanged, on every phone',
  (control) => expectToOpenAgain(control, settled),
  SIX_SCREENS_MS,
)

test('the details of an order open again on the desktop', async () => {
  await openOrders({ holding: [sample.position({ receipts: [sample.receipt()] })] })
  await page.viewport(...DESKTOP)
  const details: Control = {
    name: 'details',
    of: 'features/trading/orders/order-sheet.tsx',
    enter: () => Promise.resolve(),
    opener: () => button('Details'),
    opened: orderSheet,
  }
  await expect.element(details.opener()).toBeVisible()
  expect(await openAndClose(details, settled)).toEqual(await openAndClose(details, settled))
})
