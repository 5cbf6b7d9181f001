import {
  getContent,
  getIdentity,
  getLegalVersion,
  getMessage,
  getOperatorMode,
  getPayment,
  getPaymentSetup,
  getTradingTerms,
  getUserProfile,
  getWaitingCase,
  listAuditEntries,
  listCompanies,
  listContentVersions,
  listDeskCategories,
  listDeskInstruments,
  listDeskStrategies,
  listFeeds,
  listHeldPrices,
  listLegalVersions,
  listMessages,
  listNewsFeeds,
  listOperators,
  listSettingChanges,
  listSettings,
  listStrategyReports,
  listTermsHistory,
  listUserChat,
  listUserCopies,
  listUserOrders,
  listWaiting,
  markUserChatSeen,
  previewContent,
  previewTerms,
  type OperatorRole,
  type PaymentDetail,
  type WaitingCase,
} from '@fairlot/contract/desk'
import { NO_MONEY } from '@fairlot/core/number'
import { beforeAll, expect, test } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import {
  expectToOpenAgain,
  loadFont,
  openingSources,
  SIX_SCREENS_MS,
  type Control,
} from '../../../../testing/opens-again.ts'
import { openDesk, operator, PHONE, self, settled, withFakeServer } from '../testing/app.tsx'
import { answer } from '../testing/fake-server.ts'
import { openOrder, strategySample } from '../testing/samples.ts'
import * as sample from '../testing/screen-samples.ts'
import { waitingCase, waitingDetail } from '../testing/waiting-case.ts'

withFakeServer()

beforeAll(loadFont)

type Name = string | RegExp

const button = (name: Name, inside: Pick<Locator, 'getByRole'> = page) =>
  inside.getByRole('button', { name, exact: true })
const dialog = (name: Name) => page.getByRole('dialog', { name, exact: true })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const detail = () => page.getByRole('complementary')
const inDetail = (name: Name) => button(name, detail())

const enter = (path: string, role: OperatorRole = 'administrator') =>
  openDesk(path, { as: self({ role }), size: PHONE })

/** Opens a row of a list. */
async function openRow(list: string, name: RegExp = /./): Promise<void> {
  const rows = page.getByRole('list', { name: list, exact: true })
  await rows.getByRole('button', { name }).first().click()
  await expect.element(detail()).toBeVisible()
}

/** Opens the menu of a phone, and in it that of the operator. */
async function enterOwnMenu(): Promise<void> {
  await enter('/settings/operators')
  await button('Menu').click()
  await button(/R\. Finance/, dialog('Menu')).click()
}

async function enterRecovery(): Promise<void> {
  const recovery = {
    name: 'M. Compliance',
    role: 'compliance',
    isNew: false,
    effectiveAt: Date.now() + 3_600_000,
    reason: 'the phone is lost',
  } as const
  answer(getOperatorMode, { isSingleOperator: false, recovery })
  await enter('/waiting')
}

/** Opens the page of a user. */
async function enterUser(tab: string, role: OperatorRole): Promise<void> {
  answer(getUserProfile, sample.PROFILE)
  answer(listUserOrders, { orders: [openOrder()], total: 1, profit: NO_MONEY, balance: NO_MONEY })
  answer(listUserCopies, { copies: [], strategy: null, isStaff: false, otherAccounts: [], total: 0 })
  await enter(`/people/17${tab}`, role)
  await expect.element(page.getByRole('heading', { name: '100017' })).toBeVisible()
}

async function enterOrder(): Promise<void> {
  await enterUser('/orders', 'dealing')
  await openRow('Orders')
}

/** Opens a waiting case. */
async function enterCase(
  changes: Partial<WaitingCase>,
  details: Parameters<typeof waitingDetail>[0] = {},
  role: OperatorRole = 'administrator',
): Promise<void> {
  const shown = waitingCase(changes)
  answer(listWaiting, { cases: [shown], total: 1, all: 1, kinds: [], next: null })
  answer(getWaitingCase, waitingDetail({ case: shown, ...details }))
  await enter(`/waiting/${shown.caseKey}`, role)
}

const enterPayment = (kind: 'deposit' | 'withdrawal', changes: Partial<PaymentDetail> = {}) => {
  answer(getPayment, sample.paymentOf({ kind, ...changes }))
  return enterCase({ caseKey: `${kind}:41`, kind, title: 'Case 41', askedBy: null }, { decision: kind })
}

const enterIdentity = () => {
  answer(getIdentity, sample.IDENTITY)
  const changes = { caseKey: 'identity:17', kind: 'identity', title: 'Identity 17', amount: null }
  return enterCase({ ...changes, askedBy: null }, { decision: 'identity' }, 'compliance')
}

const enterChat = () => {
  answer(listUserChat, { messages: [sample.QUESTION], hasMore: false, unanswered: 1, lastSeenId: 0 })
  answer(markUserChatSeen, null)
  const changes = { caseKey: 'chat:17', kind: 'chat', title: 'Chat with 17', amount: null, askedBy: null }
  return enterCase(changes, { decision: 'chat', facts: [], words: [] }, 'support')
}

/** Opens a case that is assigned to the operator. */
const enterOwnCase = () => {
  const { id, name, role } = self()
  return enterCase({ heldBy: { id, name, role, since: Date.now() } })
}

/** Opens what can be paid in and out, and a row of it. */
async function enterPaymentSetup(block?: string): Promise<void> {
  answer(getPaymentSetup, {
    channels: [sample.CHANNEL],
    wires: [sample.WIRE],
    currencies: [sample.CURRENCY],
  })
  await enter('/money/setup')
  if (block !== undefined) await openRow(block)
}

async function enterOperator(name: RegExp): Promise<void> {
  const invited = { id: 3, name: 'D. Dealing', role: 'dealing', status: 'invited', lastSeenAt: null } as const
  answer(listOperators, { operators: [operator(), operator(invited)] })
  await enter('/settings/operators')
  await openRow('Operators', name)
}

async function enterSetting(): Promise<void> {
  answer(listSettings, { settings: [sample.SETTING] })
  answer(listSettingChanges, { changes: [], total: 0 })
  await enter('/settings/house')
  await openRow('Settings')
}

async function enterStrategy(changes: Parameters<typeof strategySample>[0] = {}): Promise<void> {
  answer(listDeskStrategies, { strategies: [strategySample(changes)], total: 1 })
  answer(listStrategyReports, { reports: [] })
  await enter('/copying')
  await openRow('Strategies')
}

async function enterHeldPrices(): Promise<void> {
  answer(listFeeds, { sources: [], instruments: [], unknownCount: 0 })
  answer(listHeldPrices, { prices: [sample.heldPrice()] })
  await enter('/market/feeds', 'dealing')
  await page.getByRole('radio', { name: 'Held' }).click({ force: true })
}

async function enterChange(): Promise<void> {
  answer(listTermsHistory, { changes: [sample.ANNOUNCED], total: 1 })
  await enter('/market/changes')
  await openRow('Changes of terms')
}

async function enterCategories(row?: RegExp): Promise<void> {
  answer(listDeskCategories, { categories: [sample.FOREX, sample.EXOTICS] })
  await enter('/market/categories')
  if (row !== undefined) await openRow('Categories', row)
}

const enterHalts = () => {
  answer(listDeskCategories, { categories: [sample.FOREX] })
  answer(listDeskInstruments, {
    mode: 'normal',
    modeReason: '',
    modeEndsAt: null,
    instruments: [sample.haltedInstrument()],
  })
  return enter('/market/halts')
}

const enterTradingTerms = () => {
  answer(getTradingTerms, { terms: sample.TRADING_TERMS, formKey: 'k1' })
  answer(previewTerms, sample.PREVIEW)
  return enter('/market/terms')
}

async function enterCompanies(row?: RegExp): Promise<void> {
  answer(listCompanies, { companies: [sample.COMPANY], total: 1 })
  await enter('/content/companies')
  if (row !== undefined) await openRow('Companies', row)
}

const enterLegalText = () => {
  answer(listLegalVersions, { versions: [sample.LEGAL_VERSION] })
  answer(getLegalVersion, { texts: [{ language: 'en', body: 'One.\nTwo.' }] })
  return enter('/content/legal/new/terms')
}

async function enterMessage(): Promise<void> {
  answer(listMessages, { messages: [sample.MESSAGE], total: 1 })
  const text = 'New log-in to your account.'
  answer(getMessage, { ...sample.MESSAGE, text, sentAt: null, nextTryAt: null, againOf: null })
  await enter('/content/messages')
  await openRow('Messages')
}

async function enterNewsFeeds(row?: RegExp): Promise<void> {
  answer(listNewsFeeds, { feeds: [sample.NEWS_FEED] })
  await enter('/content/feeds')
  if (row !== undefined) await openRow('Feeds', row)
}

const enterNews = (changes: Parameters<typeof sample.newsItem>[0] = {}) => {
  const item = sample.newsItem(changes)
  const { title, summary, body } = item.texts[0] ?? { title: '', summary: '', body: '' }
  const version = { version: 2, at: item.changedAt, author: 'S. Support', summary, body }
  answer(getContent, item)
  answer(listContentVersions, { versions: [{ ...version, title: `${title} soon` }] })
  answer(previewContent, ({ texts }) => ({ shown: texts[0] ?? null }))
  return enter('/content/news/7')
}

const enterAuditLog = () => {
  answer(listAuditEntries, { acts: [sample.ENTRY], total: 1 })
  return enter('/acts')
}

type Opening = Pick<Control, 'of' | 'enter'> & {
  /** Finds the buttons; by default on the whole page. */
  readonly find?: (name: Name) => Locator
}
type DialogOf = readonly [name: string, opener: Name, title: Name]

/** Dialogs that buttons of one screen open. */
const dialogsOf = (
  { of, enter: enterScreen, find = button }: Opening,
  dialogs: readonly DialogOf[],
): readonly Control[] =>
  dialogs.map(([name, opener, title]) => ({
    name,
    of,
    enter: enterScreen,
    opener: () => find(opener),
    opened: () => dialog(title),
  }))

const PAYMENT_SETUP = 'features/money/payment-setup-dialogs.tsx'
const [ADDRESSES, ACCOUNTS, CURRENCIES] = [
  'Deposit addresses',
  'Deposit bank accounts',
  'Withdrawal currencies',
] as const

/** The form of each kind opens by its own button, and that of a row by the row's. */
const PAYMENT_FORMS: readonly Control[] = (
  [
    [ADDRESSES, 'Add an address', 'Change the address'],
    [ACCOUNTS, 'Add a bank account', 'Change the bank account'],
    [CURRENCIES, 'Add a currency', 'Change USDT'],
  ] as const
).flatMap(([block, adding, changing]) => [
  {
    name: `the form of a new row of ${block.toLowerCase()}`,
    of: PAYMENT_SETUP,
    enter: () => enterPaymentSetup(),
    opener: () => button('Add', region(block)),
    opened: () => dialog(adding),
  },
  {
    name: `the form of a row of ${block.toLowerCase()}`,
    of: PAYMENT_SETUP,
    enter: () => enterPaymentSetup(block),
    opener: () => inDetail('Change'),
    opened: () => dialog(changing),
  },
])

const USER_MENU = 'features/users/user-menu.tsx'
const actions = () => dialog(/^Actions for user/)

/** Each dialog opens by an entry of a sheet, which closes with it. */
const USER_DIALOGS: readonly Control[] = (
  [
    ['the status of an account', /^Account status/, /^Change the status/, 'compliance'],
    ['verifying a user without documents', /^Identity/, /without documents$/, 'compliance'],
    ['logging a user out', /^Log out everywhere/, /out everywhere$/, 'compliance'],
    ['resetting a second factor', /^Reset second factor/, /^Reset the second factor/, 'compliance'],
    ['the credit score', /^Credit score/, /^Credit score/, 'compliance'],
    ['an adjustment', /^Request an adjustment/, /^Adjust the balance/, 'finance'],
  ] as const
).map(([name, entry, title, role]) => ({
  name,
  of: USER_MENU,
  enter: () => enterUser('', role),
  opener: () => button('Actions'),
  press: async () => {
    await button('Actions').click()
    await button(entry, actions()).click()
    await expect.element(actions()).not.toBeInTheDocument()
  },
  opened: () => dialog(title),
}))

const CONTROLS: readonly Control[] = [
  ...dialogsOf({ of: 'app/shell.tsx', enter: () => enter('/settings/operators') }, [
    ['the menu', 'Menu', 'Menu'],
  ]),
  ...dialogsOf({ of: 'features/auth/password-dialog.tsx', enter: enterOwnMenu }, [
    ['the own password', 'Change password', 'Change your password'],
  ]),
  ...dialogsOf({ of: 'features/auth/passkeys.tsx', enter: enterOwnMenu }, [
    ['the own passkeys', 'Passkeys', 'Your passkeys'],
  ]),
  ...dialogsOf({ of: 'app/operator-banners.tsx', enter: enterRecovery }, [
    ['cancelling a recovery', 'Cancel the recovery', 'Cancel the recovery'],
  ]),
  {
    name: 'a row of a list',
    of: 'ui/split-view.tsx',
    enter: () => enter('/settings/operators'),
    opener: () => button(/M\. Compliance/, page.getByRole('list', { name: 'Operators' })),
    opened: detail,
    closer: () => inDetail('Close'),
  },
  ...dialogsOf({ of: 'ui/chat.tsx', enter: enterChat, find: inDetail }, [
    ['a conversation without an answer', 'No answer needed…', 'No answer needed'],
  ]),
  {
    name: 'the filter of the audit log',
    of: 'features/audit-log/audit-log-screen.tsx',
    enter: enterAuditLog,
    opener: () => button('Filter'),
    opened: () => region('Filter the list'),
    closer: () => button('Filter'),
  },
  ...PAYMENT_FORMS,
  ...dialogsOf({ of: PAYMENT_SETUP, enter: () => enterPaymentSetup(ADDRESSES), find: inDetail }, [
    ['switching a deposit address off', 'Switch off', 'Switch off'],
  ]),
  ...dialogsOf({ of: USER_MENU, enter: () => enterUser('', 'compliance') }, [
    ['the actions on a user', 'Actions', /^Actions for user/],
  ]),
  ...USER_DIALOGS,
  ...dialogsOf({ of: 'features/users/orders-tab.tsx', enter: enterOrder, find: inDetail }, [
    ['closing a position', 'Close at market price', /^Close order/],
  ]),
  ...dialogsOf({ of: 'features/users/copies-tab.tsx', enter: () => enterUser('/copies', 'compliance') }, [
    ['recording staff', 'Works for us', /works for us$/],
  ]),
  ...dialogsOf(
    {
      of: 'features/waiting/payment-actions.tsx',
      enter: () => enterPayment('deposit'),
      find: inDetail,
    },
    [
      ['crediting a deposit', 'Credit…', /^Credit deposit/],
      ['rejecting a deposit', 'Reject…', /^Reject deposit/],
      ['an invalid deposit', 'Invalid…', /as invalid$/],
    ],
  ),
  ...dialogsOf(
    {
      of: 'features/waiting/payment-actions.tsx',
      enter: () => enterPayment('withdrawal'),
      find: inDetail,
    },
    [
      ['approving a withdrawal', 'Approve…', /^Approve withdrawal/],
      ['rejecting a withdrawal', 'Reject…', /^Reject withdrawal/],
    ],
  ),
  ...dialogsOf(
    {
      of: 'features/waiting/payment-actions.tsx',
      enter: () => enterPayment('withdrawal', { isApproved: true, approvedBy: 'Ben' }),
      find: inDetail,
    },
    [
      ['the start of a payment', 'Start paying…', /^Start paying/],
      ['the end of a payment', 'Mark as paid…', /as paid$/],
    ],
  ),
  ...dialogsOf({ of: 'features/waiting/identity.tsx', enter: enterIdentity, find: inDetail }, [
    ['the documents of a user', 'Compare with the pictures', /^Documents of user/],
    ['verifying a user', 'Verify…', /^Verify user/],
    ['rejecting an identity', 'Reject…', /^Reject the identity/],
  ]),
  ...dialogsOf({ of: 'features/waiting/case-assignment.tsx', enter: enterOwnCase, find: inDetail }, [
    ['handing a case over', 'Hand over', 'Hand over'],
  ]),
  ...dialogsOf({ of: 'features/waiting/case-actions.tsx', enter: () => enterCase({}), find: inDetail }, [
    ['approving a case', /^Approve/, /^Approve Adjustment/],
    ['rejecting a case', 'Reject…', /^Reject Adjustment/],
  ]),
  ...dialogsOf(
    {
      of: 'features/waiting/case-actions.tsx',
      enter: () => enterCase({}, { barrier: 'sameOperator', mayWithdraw: true }),
      find: inDetail,
    },
    [['withdrawing a request', 'Withdraw…', /^Withdraw Adjustment/]],
  ),
  ...dialogsOf({ of: 'features/settings/operators-screen.tsx', enter: () => enter('/settings/operators') }, [
    ['inviting an operator', 'Invite', 'Invite an operator'],
  ]),
  ...dialogsOf(
    {
      of: 'features/settings/operators-screen.tsx',
      enter: () => enterOperator(/M\. Compliance/),
      find: inDetail,
    },
    [
      ['resetting a log-in', 'Reset', /^Reset the log-in/],
      ['changing a role', 'Change role', /^Role of/],
      ['switching an operator off', 'Switch off', /^Switch M\. Compliance off$/],
    ],
  ),
  ...dialogsOf(
    {
      of: 'features/settings/operators-screen.tsx',
      enter: () => enterOperator(/D\. Dealing/),
      find: inDetail,
    },
    [['a new invitation', 'New invitation', 'New invitation']],
  ),
  ...dialogsOf(
    { of: 'features/settings/platform-settings-screen.tsx', enter: enterSetting, find: inDetail },
    [
      ['changing a setting', 'Change', /payout/],
      ['the default of a setting', 'Back to default', 'Back to default'],
    ],
  ),
  ...dialogsOf({ of: 'features/copying/strategy-detail.tsx', enter: enterStrategy, find: inDetail }, [
    ['hiding a strategy', 'Hide', /^Hide/],
    ['answering reports', 'Answer reports', /^Answer/],
  ]),
  ...dialogsOf(
    {
      of: 'features/copying/strategy-detail.tsx',
      enter: () => enterStrategy({ isHidden: true, hiddenFor: 'a wrong name', openReports: 0 }),
      find: inDetail,
    },
    [['showing a strategy again', 'Show again', /again$/]],
  ),
  ...dialogsOf({ of: 'features/market/price-feeds-screen.tsx', enter: enterHeldPrices }, [
    ['admitting a held price', 'Admit', /^Admit the price/],
  ]),
  ...dialogsOf({ of: 'features/market/changes-screen.tsx', enter: enterChange, find: inDetail }, [
    ['withdrawing a change of terms', 'Withdraw', /^Withdraw:/],
  ]),
  ...dialogsOf({ of: 'features/market/categories-screen.tsx', enter: () => enterCategories() }, [
    ['a new category', 'New', 'New category'],
  ]),
  ...dialogsOf(
    {
      of: 'features/market/categories-screen.tsx',
      enter: () => enterCategories(/Exotics/),
      find: inDetail,
    },
    [
      ['a category', 'Edit', /^Edit/],
      ['removing a category', 'Remove', /^Remove/],
    ],
  ),
  ...dialogsOf({ of: 'features/market/halt-dialogs.tsx', enter: enterHalts }, [
    ['halting everything', 'Halt everything', 'Halt everything'],
    ['resuming everything', 'Resume everything', 'Resume trading of everything'],
    ['reducing only', 'Reduce only', 'Reduce only'],
    ['a longer halt of the whole market', 'Request a longer halt', 'Request a halt of the whole market'],
    ['halting a category', 'Halt Currencies', 'Halt Currencies'],
    ['a longer halt', 'Request longer', 'Request a halt of EUR/USD'],
    ['resuming an instrument', 'Resume', 'Resume trading of EUR/USD'],
  ]),
  {
    name: 'the review of a change of terms',
    of: 'features/market/terms-review.tsx',
    enter: enterTradingTerms,
    opener: () => button('Review'),
    opened: () => dialog('Trading settings'),
    content: () => dialog('Trading settings').getByText('For users', { exact: true }),
  },
  ...dialogsOf({ of: 'features/content/companies-screen.tsx', enter: () => enterCompanies() }, [
    ['a new company', 'Add', 'Add a company'],
  ]),
  ...dialogsOf(
    { of: 'features/content/companies-screen.tsx', enter: () => enterCompanies(/Kestrel/), find: inDetail },
    [['a company', 'Edit', /^Edit/]],
  ),
  ...dialogsOf({ of: 'features/content/legal-screen.tsx', enter: enterLegalText }, [
    ['publishing a legal text', 'Publish version', 'Publish version'],
  ]),
  ...dialogsOf({ of: 'features/content/messages-screen.tsx', enter: enterMessage, find: inDetail }, [
    ['sending a message again', 'Send again', 'Send again'],
  ]),
  ...dialogsOf({ of: 'features/content/news-feeds-screen.tsx', enter: () => enterNewsFeeds() }, [
    ['a new feed', 'Add', 'Add a feed'],
  ]),
  ...dialogsOf(
    { of: 'features/content/news-feeds-screen.tsx', enter: () => enterNewsFeeds(/Example/), find: inDetail },
    [['a feed', 'Edit', /^Edit/]],
  ),
  ...dialogsOf(
    {
      of: 'features/content/rich-text-field.tsx',
      enter: () => enterNews(),
      find: (name) => button(name, page.getByRole('toolbar')),
    },
    [
      ['a link of a text', 'Link', 'Link'],
      ['a picture of a text', 'Picture', 'Picture'],
    ],
  ),
  ...dialogsOf({ of: 'features/content/news-editor.tsx', enter: () => enterNews() }, [
    ['publishing news', 'Publish', 'Publish'],
    ['a version of news', 'Gold opens soon', 'Gold opens soon'],
  ]),
  ...dialogsOf({ of: 'features/content/news-editor.tsx', enter: () => enterNews({ status: 'published' }) }, [
    ['withdrawing news', 'Withdraw', 'Withdraw'],
  ]),
]

/** Sources with a dialog that no phone opens by a control. */
const WITHOUT_CONTROL = [
  // These are dialogs of others, which have their controls here.
  'ui/reason-dialog.tsx',
  'ui/keys-dialog.tsx',
  // Keys are shown once, by the answer to an approval.
  'features/waiting/waiting-screen.tsx',
  // The code is requested by the answer to a call.
  'features/auth/second-factor.tsx',
]

const SOURCES = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true })

test('every source that opens something has its control here', () => {
  const opening = openingSources(
    SOURCES,
    /@fairlot\/ui\/overlays\/|\/(?:reason|keys)-dialog\.tsx'|aria-expanded/,
  )
  expect(opening.length).toBeGreaterThan(0)
  const named = [...WITHOUT_CONTROL, ...CONTROLS.map(({ of }) => of)]
  expect(opening.filter((path) => !named.includes(path))).toEqual([])
})

test.each(CONTROLS)(
  '$name reopens with the same layout and leaves the screen unchanged, on every phone',
  (control) => expectToOpenAgain(control, settled),
  SIX_SCREENS_MS,
)
