import {
  type AuditEntryRow,
  getAuditEntry,
  getOperatorMode,
  getPaymentSetup,
  getWaitingCase,
  listAuditEntries,
  listDeskPasskeys,
  listDeskStrategies,
  listMessages,
  listOperators,
  listStrategyReports,
  listTermsHistory,
  listTransfers,
  listWaiting,
  searchUsers,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core/number'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { translatable } from '../../../../testing/translated-page.ts'
import { openDesk, operator, PHONE, settled, withFakeServer } from '../testing/app.tsx'
import { answer } from '../testing/fake-server.ts'
import { strategySample } from '../testing/samples.ts'
import { waitingCase, waitingDetail } from '../testing/waiting-case.ts'

withFakeServer()

const AT = Date.UTC(2026, 10, 22, 9, 11)
const row = (name: string | RegExp) => page.getByRole('row', { name })
const detail = () => page.getByRole('complementary')
const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()

const entry: AuditEntryRow = {
  id: 31,
  at: AT,
  operatorId: 2,
  operator: 'Mei Chen',
  role: 'compliance',
  second: 'Jo Summer',
  act: 'restrictPerson',
  subject: 'person:77',
  about: 'User 100077',
  accountId: 77,
  reason: 'by order of the court',
  caseKey: null,
  outcome: 'done',
  journalAt: null,
}

describe('of a screen that the browser translates, it leaves names, codes and figures alone', () => {
  test('the operators, one of them, and the question before a change', async () => {
    answer(listOperators, { operators: [operator({ name: 'Mei Chen' })] })
    await openDesk('/settings/operators')
    await row(/Mei Chen/).click()
    await expect.poll(() => translatable(['Mei Chen', 'R. Finance', '22 Nov'])).toEqual([])
    await press('Change role')
    await expect.poll(() => translatable(['Mei Chen'], page.getByRole('dialog').element())).toEqual([])
  })

  test('the operators as cards of a phone', async () => {
    answer(listOperators, { operators: [operator({ name: 'Mei Chen' })] })
    await openDesk('/settings/operators', { size: PHONE })
    await expect.poll(() => translatable(['Mei Chen', '22 Nov'])).toEqual([])
  })

  test('the audit log, and an entry', async () => {
    answer(listAuditEntries, { acts: [entry], total: 1 })
    answer(getAuditEntry, {
      act: entry,
      changes: [{ field: 'bankName', before: 'Quay Bank', after: 'Harbour Bank' }],
      hash: 'ab'.repeat(32),
      previousHash: 'cd'.repeat(32),
    })
    answer(listOperators, { operators: [operator({ name: 'Mei Chen' })] })
    await openDesk('/acts/31')
    await press('Filter')
    const names = ['Mei Chen', 'Jo Summer', 'Quay Bank', 'Harbour Bank', '812', 'abab', '100077']
    await expect.poll(() => translatable(names)).toEqual([])
    await expect.element(detail()).toBeVisible()
  })

  test('the users that a search finds', async () => {
    answer(searchUsers, {
      people: [
        {
          id: 77,
          uid: '100077',
          isDemo: false,
          contact: 'ada.byron@example.org',
          status: 'active',
          foundBy: 'email',
          registeredAt: AT,
        },
      ],
      total: 1_204,
    })
    await openDesk('/people?find=ada')
    await expect.poll(() => translatable(['100077', 'ada.byron@example.org', '1,204', '22 Nov'])).toEqual([])
  })

  test('the waiting cases, and a withdrawal with its steps', async () => {
    const payment = waitingCase({
      caseKey: 'withdrawal:12',
      kind: 'withdrawal',
      title: 'Withdrawal 12',
      heldBy: { id: 9, name: 'Mei Chen', role: 'compliance', since: Date.now() },
    })
    answer(listWaiting, { cases: [payment], total: 1, all: 1, kinds: [], next: null })
    answer(
      getWaitingCase,
      waitingDetail({
        case: payment,
        decision: 'elsewhere',
        facts: [
          { label: 'To', format: 'text', value: 'Harbour Bank, Ada Byron, Berlin', tone: 'plain' },
          { label: 'Transaction number', format: 'text', value: 'sent by Mei', tone: 'plain' },
          { label: 'Account', format: 'text', value: 'active', tone: 'plain' },
        ],
        steps: [{ title: 'Approved', state: 'done', by: 'Jo Summer', at: AT, note: 'checked' }],
        acts: [{ ...entry, operator: 'Sam Winter' }],
      }),
    )
    await openDesk('/waiting/withdrawal:12')
    const names = ['Mei Chen', 'Harbour Bank, Ada', 'sent by Mei', 'Jo Summer', 'Sam Winter', '100017']
    await expect.poll(() => translatable(names)).toEqual([])
    expect(translatable(['active'], detail().element())).toEqual(['active in “active”'])
  })

  test('the strategies, one of them, and the question before it is hidden', async () => {
    answer(listDeskStrategies, { strategies: [strategySample()], total: 1 })
    answer(listStrategyReports, { reports: [] })
    await openDesk('/copying')
    await row(/Calm water/).click()
    await press('Hide')
    await expect.poll(() => translatable(['Calm water', '1,204'])).toEqual([])
  })

  test('the accounts for deposits', async () => {
    const set = { version: 2, changedAt: AT, isOn: true, personDayLimit: null, fixedRate: null, rateNow: 1n }
    answer(getPaymentSetup, {
      channels: [],
      currencies: [],
      wires: [
        {
          ...set,
          id: 1,
          comingLimits: null,
          currencyCode: 'EUR',
          bankName: 'Harbour Bank',
          bankAddress: 'Two Old Quay Street',
          bankSwift: 'HARBMTMT',
          payeeName: 'Fairlot Brokers of Malta',
          payeeAccount: 'MT84MALT011000012345MTLCAST001S',
          bankRemark: '',
          dayLimit: money(5_000_000_000n),
        },
      ],
    })
    await openDesk('/money/setup')
    await row(/Harbour Bank/).click()
    const names = [
      'Harbour Bank',
      'Two Old Quay Street',
      'HARBMTMT',
      'Fairlot Brokers of Malta',
      'MT84MALT',
      'EUR',
    ]
    await expect.poll(() => translatable(names)).toEqual([])
  })

  test('the transfers', async () => {
    answer(listTransfers, {
      transfers: [
        {
          id: 4_711,
          at: AT,
          kind: 'deposit',
          accountId: 17,
          debit: 'house:real:bank',
          credit: 'available:17',
          orderId: null,
          caseId: 12,
          amount: money(500_000_000n),
        },
      ],
    })
    await openDesk('/money/transfers')
    await expect.poll(() => translatable(['4711', '100017', '500.00', '12'])).toEqual([])
  })

  test('the messages', async () => {
    answer(listMessages, {
      messages: [
        {
          id: 'm1',
          recipient: 'ada.byron@example.org',
          state: 'sent',
          subject: 'Your statement',
          name: 'statement',
          channel: 'email',
          createdAt: AT,
          hasSecret: false,
          tries: 1,
          error: null,
        },
      ],
      total: 1,
    })
    await openDesk('/content/messages')
    await expect.poll(() => translatable(['ada.byron@example.org', '22 Nov'])).toEqual([])
  })

  test('the changes of terms', async () => {
    answer(listTermsHistory, {
      changes: [
        {
          changeId: 5,
          kind: 'instrument',
          subject: 'Acme Corporation',
          status: 'announced',
          author: 'Mei Chen',
          second: 'Jo Summer',
          decidedAt: AT,
          effectiveAt: AT,
          reason: '',
          changes: [{ field: 'name', before: 'Acme', after: 'Acme Corporation' }],
        },
      ],
      total: 1,
    })
    await openDesk('/market/changes')
    await row(/Acme Corporation/).click()
    await expect.poll(() => translatable(['Acme Corporation', 'Mei Chen', 'Jo Summer', '22 Nov'])).toEqual([])
  })

  test('the notice of a recovery, and the passkeys', async () => {
    answer(getOperatorMode, {
      isSingleOperator: false,
      recovery: {
        name: 'Mei Chen',
        role: 'finance',
        isNew: false,
        effectiveAt: AT,
        reason: 'lost both keys',
      },
    })
    answer(listDeskPasskeys, {
      passkeys: [
        {
          id: 'phone',
          name: 'My grey phone',
          createdAt: AT,
          usedAt: null,
          isSynced: true,
          isOfOtherDomain: false,
        },
      ],
    })
    await openDesk('/settings/operators')
    await settled()
    await press(/R\. Finance/)
    await press('Passkeys')
    await expect.poll(() => translatable(['Mei Chen', 'My grey phone', '22 Nov'])).toEqual([])
  })
})
