import {
  getBasicInfo,
  getCompanyStatus,
  getDeposit,
  getOrder,
  getWithdrawal,
  listDirectory,
  listLedgerRecords,
  listPayoutCurrencies,
  listReceivingMethods,
} from '@fairlot/contract'
import { beforeAll, expect, test } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { choose, DESKTOP, openApp, PHONES, settled, withFakeServer } from '../testing/app.tsx'
import { openOrders, openOrderSheet, orderSheet, confirmation } from '../testing/orders.ts'
import { answer } from '../testing/fake-server.ts'
import * as pay from '../testing/payment-samples.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

beforeAll(async () => {
  // As on a second visit: a font that arrives between two openings would move what is compared.
  document.documentElement.dataset['font'] = ''
  await document.fonts.load('1em Plex')
})

type Size = (typeof PHONES)[number]

const SIX_SCREENS_MS = 90_000

type Control = {
  readonly name: string
  /** Leads to the screen that it is on. */
  readonly enter: () => Promise<unknown>
  readonly opener: () => Locator
  readonly opened: () => Locator
  /** Part of it that may load late. */
  readonly content?: () => Locator
  /** Left out where Escape closes it. */
  readonly closer?: () => Locator
  /** The screen sizes that show it; by default all. */
  readonly existsOn?: (size: Size) => boolean
}

const button = (name: string | RegExp, inside: Pick<Locator, 'getByRole'> = page) =>
  inside.getByRole('button', { name })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

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
    enter: enterTicket,
    opener: () => button('Tall chart'),
    opened: () => page.getByRole('img', { name: /candles/ }),
    closer: () => button('Chart with ticket'),
    // A short phone hides the bar above the candles while the ticket is open.
    existsOn: ([, height]) => height >= 720,
  },
  {
    name: 'the instruments',
    enter: enterTrade,
    opener: () => button(/^Instruments/),
    opened: () => dialog('Choose an instrument'),
  },
  {
    name: 'the indicators',
    enter: async () => {
      await enterTicket()
      await button('Collapse the ticket').click()
    },
    opener: () => button('Chart settings'),
    opened: () => dialog('Chart settings'),
  },
  {
    name: 'the leverages',
    enter: enterTicket,
    opener: () => button('Leverage'),
    opened: () => dialog('Leverage'),
  },
  {
    name: 'the expiry of a pending order',
    enter: enterPending,
    opener: () => button('Valid until'),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'an order',
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
    enter: enterOrder,
    opener: () => button(label, orderSheet()),
    opened: confirmation,
  })),
  {
    name: 'closing all positions',
    enter: () => openOrders({ holding: [sample.position()] }),
    opener: () => button('Close all'),
    opened: confirmation,
  },
  {
    name: 'cancelling a pending order',
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
    enter: enterClosedPart,
    opener: () => page.getByRole('main').getByRole('listitem').getByRole('button').first(),
    opened: orderSheet,
  },
  {
    name: 'the confirmation before resetting a demo',
    enter: () => openApp('/user', { as: 'demo' }),
    opener: () => button(/^Reset/),
    opened: confirmation,
  },
  {
    name: 'the confirmation before logging out',
    enter: () => openApp('/user', { as: 'real' }),
    opener: () => button('Log out'),
    opened: confirmation,
  },
  {
    name: 'the explained terms of the ticket',
    enter: enterTicket,
    opener: () => button('What do these terms mean?'),
    opened: () => dialog('The terms, with your figures'),
    content: () => dialog('The terms, with your figures').getByText('Stop-out', { exact: true }),
  },
  {
    name: 'the explained terms of the account',
    enter: () => openApp('/user', { as: 'real' }),
    opener: () => button('What do these terms mean?'),
    opened: () => dialog('The terms, with your figures'),
    content: () => dialog('The terms, with your figures').getByText('Stop-out', { exact: true }),
  },
  {
    name: 'the countries',
    enter: () => openApp('/register'),
    opener: () => button(/^Country/),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the terms of use',
    enter: () => openApp('/register'),
    opener: () => button(/^Read/).first(),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the order of a transaction',
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
    enter: () =>
      enterRecords(sample.ledgerRecord({ kind: 'deposit', memo: 'Deposit', orderId: null, caseId: 9 })),
    opener: () => page.getByRole('link', { name: /^Deposit/ }),
    opened: () => page.getByRole('dialog'),
    content: () => page.getByRole('dialog').getByText('TRC20').first(),
  },
  {
    name: 'the statement',
    enter: () => enterRecords(),
    opener: () => button('Statement as PDF or CSV'),
    opened: () => page.getByRole('dialog'),
  },
  {
    name: 'the confirmation before a withdrawal',
    enter: async () => {
      await enterWithdrawal()
      await page.getByLabelText('Amount').fill('400')
    },
    opener: () => button(/^Withdraw$/, page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'the confirmation before cancelling a withdrawal',
    enter: () => {
      answer(getWithdrawal, pay.withdrawal())
      return openApp('/mine/withdraw?id=41', { as: 'real' })
    },
    opener: () => button('Cancel withdrawal', page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'the confirmation before removing a receiving method',
    enter: () => {
      answer(listReceivingMethods, [pay.receivingMethod()])
      return openApp('/mine/coin-address-list', { as: 'real' })
    },
    opener: () => button('Remove', page.getByRole('main')),
    opened: confirmation,
  },
  {
    name: 'switching on the second factor',
    enter: () => openApp('/mine/system', { as: 'real' }),
    opener: () => button('Switch on'),
    opened: () => page.getByLabelText('Password', { exact: true }),
    closer: () => button('Cancel'),
  },
  {
    name: 'the confirmation before logging out everywhere',
    enter: () => openApp('/mine/system', { as: 'real' }),
    opener: () => button('Log out everywhere'),
    opened: confirmation,
  },
  {
    name: 'the picture of a chat message',
    enter: () => openApp('/mine/chat', { as: 'real' }),
    opener: () => button('Add a picture'),
    opened: () => page.getByText('Picture').first(),
    closer: () => button('Without a picture'),
  },
  {
    name: 'a company',
    enter: () => {
      answer(getBasicInfo, sample.basicInfo({ appMode: 'main' }))
      answer(listDirectory, [COMPANY])
      answer(getCompanyStatus, { mustLeave: false, standing: 'open', redirectUrl: '' })
      return openApp('/product')
    },
    opener: () => page.getByRole('list', { name: 'Companies' }).getByRole('button').first(),
    opened: () => page.getByRole('dialog'),
  },
]

type Box = readonly [name: string, left: number, top: number, width: number, height: number]

const SHOWN = 'h1, h2, h3, p, dt, dd, button, input, a, label, canvas, [role=img], section'

/** Everything visible in a part of the page, with its position. */
function layoutOf(part: Element): readonly Box[] {
  return (
    [part, ...part.querySelectorAll<HTMLElement>(SHOWN)]
      .filter((element) => element.checkVisibility())
      // The area charts of rows are drawn once loaded, which may be later.
      .filter((element) => !/last \d+ bars$/.test(element.getAttribute('aria-label') ?? ''))
      .map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)
        return [name, ...[left, top, width, height].map(Math.round)] as unknown as Box
      })
  )
}

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** The layout of a part once it is stable: it slides in, and its figures may load late. */
async function settledLayout(part: () => Element, frames = 2): Promise<readonly Box[]> {
  await settled()
  let last = JSON.stringify(layoutOf(part()))
  for (let unchanged = 0; unchanged < frames; unchanged += 1) {
    await nextPaint()
    const now = JSON.stringify(layoutOf(part()))
    if (now !== last) unchanged = -1
    last = now
  }
  return JSON.parse(last) as readonly Box[]
}

const appRoot = () => document.getElementById('root') ?? document.body

/** Opens and closes; returns the layout shown in between. */
async function openAndClose({ opener, opened, content = opened, closer }: Control): Promise<readonly Box[]> {
  await opener().click()
  await expect.element(opened()).toBeVisible()
  await expect.element(content()).toBeVisible()
  const layout = await settledLayout(() => opened().element())
  if (closer) await closer().click()
  else await userEvent.keyboard('{Escape}')
  await expect.element(opener()).toBeVisible()
  if (!closer) await expect.element(opened()).not.toBeInTheDocument()
  return layout
}

test.each(CONTROLS)(
  '$name reopens with the same layout and leaves the screen unchanged, on every phone',
  async (control) => {
    await control.enter()
    // Parts of a screen that are modules of their own may be drawn a while after the rest.
    await settledLayout(appRoot, 20)
    for (const size of PHONES) {
      if (control.existsOn?.(size) === false) continue
      await page.viewport(size[0], size[1])
      await expect.element(control.opener()).toBeVisible()
      // A real click would scroll to it first.
      control.opener().element().scrollIntoView({ block: 'center' })
      const before = await settledLayout(appRoot)
      const first = await openAndClose(control)
      expect(await settledLayout(appRoot), `after it was closed, ${size.join(' x ')}`).toEqual(before)
      expect(await openAndClose(control), `opened again, ${size.join(' x ')}`).toEqual(first)
      expect(await settledLayout(appRoot), `after it was closed again, ${size.join(' x ')}`).toEqual(before)
    }
  },
  SIX_SCREENS_MS,
)

test('the details of an order open again on the desktop', async () => {
  await openOrders({ holding: [sample.position({ receipts: [sample.receipt()] })] })
  await page.viewport(...DESKTOP)
  const details: Control = {
    name: 'details',
    enter: () => Promise.resolve(),
    opener: () => button('Details'),
    opened: orderSheet,
  }
  await expect.element(details.opener()).toBeVisible()
  expect(await openAndClose(details)).toEqual(await openAndClose(details))
})
