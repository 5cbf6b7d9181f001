import {
  findCompanies,
  getBasicInfo,
  getCompanyStatus,
  getCopy,
  getDeposit,
  getFigures,
  getIdentityCheck,
  getOwnStrategy,
  getSecondFactor,
  getStrategy,
  getSupportEmail,
  getWithdrawal,
  listActivity,
  listAlerts,
  listCopies,
  listCopyLog,
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  listDirectory,
  listInvited,
  listLedgerRecords,
  listNotices,
  listPasskeys,
  listPayoutCurrencies,
  listReceivingMethods,
  listSessions,
  listStrategies,
  listStrategyOrders,
  listTermsChanges,
  listWithdrawals,
  tryCopy,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { translatable } from '../../../../testing/translated-page.ts'
import { answerOrders, choose, openApp, settled, withFakeServer } from '../testing/app.tsx'
import * as copying from '../testing/copying-samples.ts'
import { answer } from '../testing/fake-server.ts'
import { confirmation, openOrderSheet, orderSheet } from '../testing/orders.ts'
import * as pay from '../testing/payment-samples.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const IBAN = 'DE89370400440532013000'
const bound = pay.receivingMethod({
  kind: 'bank',
  bankName: 'Harbour Bank',
  payeeName: 'Ada Byron',
  iban: IBAN,
  address: '',
})

type Screen = readonly [name: string, path: string, prepare: () => void, shown: readonly string[]]

/** Screens with what they show of names, codes and figures. */
const SCREENS: readonly Screen[] = [
  ['the market', '/', () => undefined, ['EUR/USD', 'Acme Corporation', '1.08']],
  [
    'the ranking',
    '/rank',
    () => answer(listStrategies, { strategies: [copying.strategyRow(), copying.shortRow()], total: 2 }),
    ['Harbour', 'Early Bird', '212'],
  ],
  [
    'a strategy',
    '/rank/strategy?id=31',
    () => {
      answer(getStrategy, copying.strategy())
      answer(listStrategyOrders, { orders: [], total: 0 })
    },
    ['Harbour', 'Goldleaf', 'XAU/USD', '212', 'May 2025'],
  ],
  [
    'the start of a copy',
    '/rank/start?id=31',
    () => {
      answer(getStrategy, copying.strategy({ kind: 'real' }))
      answer(tryCopy, copying.dryRun())
    },
    ['Harbour', '100.00', '760.00'],
  ],
  [
    'a copy',
    '/rank/copy?id=71',
    () => {
      answer(getCopy, { copy: copying.copy(), orders: [] })
      answer(listCopyLog, { entries: copying.log(), total: 5 })
    },
    ['Harbour', 'XAU/USD', 'US500', '180.00', '1.08472'],
  ],
  ['the own strategy', '/mine/strategy', () => answer(getOwnStrategy, copying.published()), ['Tidewater']],
  [
    'the movements',
    '/mine/history',
    () => answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 }),
    ['99,996.', '41', 'Jan 7, 2026'],
  ],
  [
    'a deposit address',
    '/mine/charge',
    () => answer(listDepositAddresses, [pay.depositAddress()]),
    [ADDRESS, 'TRC20', 'USDT'],
  ],
  [
    'a deposit',
    '/mine/charge?id=12',
    () => answer(getDeposit, pay.deposit()),
    ['500.00', 'TRC20', 'Jan 7, 2026', '12'],
  ],
  [
    'a withdrawal',
    '/mine/withdraw?id=41',
    () =>
      answer(
        getWithdrawal,
        pay.withdrawal({
          status: 'paid',
          reference: 'tx-Of-The-Payment',
          steps: [{ kind: 'paid', at: sample.NOON, role: 'finance', reason: '' }],
        }),
      ),
    ['388.00', 'TRC20', ADDRESS, 'tx-Of-The-Payment', 'Jan 7, 2026', '41'],
  ],
  [
    'the form of a withdrawal',
    '/mine/withdraw',
    () => {
      answer(listPayoutCurrencies, [pay.payoutCurrency()])
      answer(listReceivingMethods, [bound])
      answer(listWithdrawals, { withdrawals: [pay.withdrawal()], total: 1 })
    },
    ['Harbour Bank', 'TRC20', '400.00', 'Jan 7, 2026'],
  ],
  [
    'the bound accounts',
    '/mine/bank-card-list',
    () => answer(listReceivingMethods, [bound]),
    ['Harbour Bank', 'Ada Byron', IBAN, 'USDT', 'Jan 7, 2026'],
  ],
  ['the user', '/user', () => undefined, ['ada@example.org', '800008']],
  [
    'the sessions and passkeys',
    '/mine/system',
    () => {
      answer(listSessions, [sample.session({ id: 'there', isCurrent: false })])
      answer(getBasicInfo, sample.basicInfo({ passkeyDomain: 'localhost' }))
      answer(getSecondFactor, { isOn: true, hasApp: false, passkeys: 1, recoveryCodesLeft: 9 })
      const times = { createdAt: sample.NOON, usedAt: null }
      answer(listPasskeys, {
        passkeys: [{ id: 'phone', name: 'My grey phone', isSynced: true, isOfOtherDomain: false, ...times }],
      })
    },
    ['Chrome', '192.0.2.7', 'My grey phone', 'Jan 7, 2026'],
  ],
  [
    'the identity',
    '/mine/auth',
    () =>
      answer(
        getIdentityCheck,
        sample.identityCheck({
          status: 'verified',
          name: 'Ada Byron',
          number: 'X•••99',
          sentAt: sample.NOON,
        }),
      ),
    ['Ada Byron', 'X•••99'],
  ],
  [
    'the notices',
    '/mine/notices',
    () =>
      answer(listNotices, {
        notices: [
          {
            kind: 'depositEnded',
            group: 'deposit',
            title: 'Deposit 12 credited',
            text: '1,204.50 USDT were credited.',
            time: sample.NOON,
            isRead: true,
            orderId: null,
            newsId: null,
          },
        ],
        total: 1,
        next: null,
      }),
    ['1,204.50', 'USDT', '12', 'Jan 7, 2026'],
  ],
  [
    'the activity log',
    '/mine/activity',
    () =>
      answer(listActivity, {
        activities: [
          {
            by: 'user',
            at: sample.NOON,
            text: 'Logged in',
            role: null,
            reason: null,
            device: sample.session().device,
            address: '192.0.2.7',
          },
        ],
        total: 1,
      }),
    ['Chrome', '192.0.2.7', 'Jan 7, 2026'],
  ],
  [
    'the alerts',
    '/mine/notices?tab=alerts',
    () =>
      answer(listAlerts, [
        {
          id: 4,
          condition: {
            kind: 'price',
            instrumentId: 1,
            side: 'bid',
            direction: 'above',
            price: sample.decimal('1.089'),
          },
          pauseMs: null,
          expiresAt: null,
          endedAt: null,
          awaitsReturn: false,
          setAt: sample.NOON,
          state: 'waiting',
          wakesAt: null,
          target: null,
          fired: null,
        },
      ]),
    ['EUR/USD', '1.08900', 'Jan 7'],
  ],
  [
    'the announced terms',
    '/mine/terms',
    () =>
      answer(listTermsChanges, [
        {
          id: 7,
          kind: 'instrument',
          instrumentIds: [sample.eurusd().id],
          about: '',
          isUrgent: false,
          isInForce: false,
          withdrawnAt: null,
          announcedAt: sample.NOON,
          effectiveAt: sample.NOON,
          reason: 'Prices cost more.',
          fields: [{ field: 'feeRate', before: '0.001', after: '0.002' }],
        },
      ]),
    ['EUR/USD', '0.1', 'Jan 7, 2026'],
  ],
  [
    'the invited users',
    '/mine/invite',
    () => answer(listInvited, { invited: [{ name: 'gra***@example.org', joinedAt: sample.NOON }], total: 1 }),
    ['gra***@example.org', 'Jan 7, 2026'],
  ],
  [
    'the address for complaints',
    '/mine/email',
    () => answer(getSupportEmail, { email: 'help@broker.example' }),
    ['help@broker.example'],
  ],
]

describe('of a screen that the browser translates, it leaves names, codes and figures alone', () => {
  test.each(SCREENS)('%s', async (_, path, prepare, shown) => {
    prepare()
    await openApp(path, { as: 'real' })
    await settled()
    await expect.poll(() => translatable(shown)).toEqual([])
  })

  test('the positions, an order and the question before it is closed', async () => {
    answerOrders({ holding: [sample.position()] })
    answer(getFigures, sample.figuresWithPosition())
    await openApp('/order', { as: 'real' })
    await openOrderSheet('EUR/USD')
    await expect
      .poll(() => translatable(['EUR/USD', '0.10', '1.08439', '41'], orderSheet().element()))
      .toEqual([])
    await orderSheet()
      .getByRole('button', { name: /^Close [+−]/ })
      .click()
    await expect.element(confirmation()).toBeVisible()
    await expect
      .poll(() => translatable(['EUR/USD', '1.08469', '+3.00'], confirmation().element()))
      .toEqual([])
  })

  test('the bank accounts for a deposit, and not the sentence to the payer', async () => {
    const remark = 'Write your number on the transfer.'
    answer(listDepositCurrencies, [{ currency: 'EUR' }])
    answer(listDepositAccounts, [
      pay.depositAccount({ bankName: 'Harbour Bank', payeeName: 'Ada Byron', remark }),
      pay.depositAccount({ id: 2, bankName: 'Quay Bank' }),
    ])
    await openApp('/mine/charge', { as: 'real' })
    await choose('Bank wire')
    const names = ['Harbour Bank', 'Quay Bank', 'Ada Byron', '1 Bank Street', IBAN, 'DEUTDEFF', 'EUR']
    await expect.poll(() => translatable(names)).toEqual([])
    expect(translatable([remark])).toEqual([`${remark} in “${remark}”`])
  })

  test('the question before a copy is stopped', async () => {
    answer(getCopy, { copy: copying.copy(), orders: [] })
    answer(listCopyLog, { entries: [], total: 0 })
    answer(listCopies, { copies: [copying.copy()] })
    await openApp('/rank/copy?id=71', { as: 'real' })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.element(confirmation()).toBeVisible()
    await expect.poll(() => translatable(['Harbour', '311.42'], confirmation().element())).toEqual([])
  })

  test('the directory of companies', async () => {
    const company = {
      id: 7,
      name: 'Harbour Ledger',
      subject: 'Brokerage',
      logo: '',
      url: 'https://harbour.example/',
      registeredAddress: '1 Quay',
      location: 'Hong Kong',
      email: 'desk@harbour.example',
    }
    answer(getBasicInfo, sample.basicInfo({ appMode: 'main' }))
    answer(listDirectory, [company])
    answer(findCompanies, [company])
    answer(getCompanyStatus, { mustLeave: false, standing: 'open', redirectUrl: '' })
    await openApp('/product')
    await page.getByRole('button', { name: /^Harbour/ }).click()
    const names = ['Harbour Ledger', 'desk@harbour.example', 'harbour.example', '1 Quay', 'Hong Kong']
    await expect.poll(() => translatable(names)).toEqual([])
  })
})
