import {
  decideAdjustment,
  decideApproval,
  getBrokerFigures,
  getWaitingCase,
  handOnCase,
  listWaiting,
  takeCase,
  withdrawApproval,
  type WaitingCase,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import {
  answer,
  inputsOf,
  receivedMessages,
  reject,
  pushChanged,
  pushViewers,
} from '../../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../../testing/waiting-case.ts'

withFakeServer()

const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const detail = () => page.getByRole('complementary')
const reason = () => page.getByLabelText('Reason')

const halt = waitingCase({
  caseKey: 'approval:4',
  kind: 'halt',
  title: 'Halt 4',
  what: 'instrument EURUSD',
  accountId: null,
  amount: null,
  risk: 'high',
})

function answerList(cases: readonly WaitingCase[] = [halt, waitingCase()]): void {
  answer(listWaiting, ({ kind, held }) => {
    const matching = cases.filter(
      (each) => (kind === null || each.kind === kind) && (held === null || each.heldBy),
    )
    const kinds = [
      { kind: 'halt', name: 'Halts requested', count: 1 },
      { kind: 'adjustment', name: 'Adjustments', count: 1 },
    ]
    return { cases: matching, total: matching.length, all: cases.length, kinds, next: null }
  })
}

async function openList(options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answerList()
  answer(getWaitingCase, ({ caseKey }) =>
    caseKey === halt.caseKey ? waitingDetail({ case: halt, decision: 'approval' }) : waitingDetail(),
  )
  await openDesk('/', options)
  await expect.element(row('Adjustment 17')).toBeVisible()
}

describe('the list', () => {
  test('is the first screen, and the side bar shows the number of cases', async () => {
    await openList()
    await expect.element(page.getByRole('link', { name: /Waiting/ })).toHaveTextContent('Waiting2')
    await expect.element(row('Halt 4 high risk')).toBeVisible()
    await expect.element(row('Adjustment 17 .*[+]25[.]00')).toBeVisible()
    await expect.element(page.getByText('55 of 55 fresh')).toBeVisible()
  })

  test('warns about a proxy that the server does not know, with the setting to change', async () => {
    answerList()
    const prices = { freshPrices: 55, instruments: 55, refusedTicks: 0 }
    answer(getBrokerFigures, { ...prices, unnamedProxies: ['172.18.0.2'] })
    await openDesk('/waiting')
    const card = page.getByRole('region', { name: 'Proxy' })
    await expect.element(card.getByText('Not set up')).toBeVisible()
    await expect.element(card.getByText(/arrive through 172\.18\.0\.2\. Add it to TRUST_PROXY/)).toBeVisible()
  })

  test('is filtered by kind, assignment and search', async () => {
    await openList()
    await press('Halts requested 1')
    await expect.element(row('Adjustment 17')).not.toBeInTheDocument()
    await press('Assigned to you')
    await expect.element(page.getByText('No matches')).toBeVisible()
    await press('All 2')
    await userEvent.keyboard('/')
    await page.getByRole('searchbox').fill('100017')
    await expect
      .poll(() => inputsOf(listWaiting).at(-1))
      .toMatchObject({ search: '100017', kind: null, held: null })
  })

  test('updates when the server reports a change', async () => {
    await openList()
    answerList([waitingCase()])
    pushChanged('waiting')
    await expect.element(page.getByRole('link', { name: /Waiting/ })).toHaveTextContent('Waiting1')
    await expect.element(row('Halt 4')).not.toBeInTheDocument()
  })

  test('says that no cases are open', async () => {
    await openDesk('/waiting')
    await expect.element(page.getByText('No open cases')).toBeVisible()
  })
})

describe('a case', () => {
  test('shows its facts, its steps, and the texts for the user in both languages', async () => {
    await openList()
    await row('Adjustment 17').click()
    await expect.element(detail().getByText('1,204.50')).toBeVisible()
    await expect.element(detail().getByText(/Requested by S. Support \(support\)/)).toBeVisible()
    await expect.element(detail().getByText('Balance adjustment booked')).toBeVisible()
    await expect.element(detail().getByText('已入帳')).toHaveAttribute('lang', 'zh-HK')
    expect(location.hash).toBe('#/waiting/adjustment:17')
  })

  test('labels what would change, and says why users are shown nothing', async () => {
    answerList()
    const changes = [{ field: 'isOn', before: 'true', after: 'false' }]
    const noWords = 'Users are shown nothing: this concerns only the desk.'
    answer(
      getWaitingCase,
      waitingDetail({
        case: { ...halt, accountId: null },
        decision: 'approval',
        changes,
        words: [],
        noWords,
      }),
    )
    await openDesk('/waiting/approval:4', { size: PHONE })
    await expect.element(detail().getByText('Switched on')).toBeVisible()
    await expect.element(detail().getByRole('insertion')).toHaveTextContent('no')
    await expect.element(detail().getByText('Shown to users')).toBeVisible()
    await expect.element(detail().getByText(noWords)).toBeVisible()
  })

  test('names what an approval changes as the case itself does', async () => {
    answerList()
    const changes = [
      { field: 'dayLimit', before: '12000.00', after: '20000.00' },
      { field: 'fourEyesOperatorLimit', before: '100000', after: '50000' },
      { field: 'fee', before: '12.000000', after: '9.500000' },
      { field: 'isOn', before: 'true', after: 'false' },
    ]
    answer(getWaitingCase, waitingDetail({ case: halt, decision: 'approval', changes }))
    await openDesk('/waiting/approval:4')
    await press(/^Approve/)
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toMatchTextContent('Daily limit, all users12,000.00 → 20,000.00')
    await expect.element(dialog).toMatchTextContent('Limit for one operator, in total100,000.00 → 50,000.00')
    await expect.element(dialog).toMatchTextContent('Fee12.00 → 9.50')
    await expect.element(dialog).toMatchTextContent('Switched onyes → no')
  })

  test('is opened, taken and approved with the keyboard alone, then the next case opens', async () => {
    await openList()
    answer(takeCase, null)
    answer(decideApproval, { confirmation: null })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.element(detail()).toHaveAccessibleName('Halt 4')
    await userEvent.keyboard('t')
    await expect.poll(() => inputsOf(takeCase)).toEqual([{ caseKey: 'approval:4', from: null }])
    await userEvent.keyboard('a')
    await reason().fill('seen it too')
    await press('Approve')
    await expect
      .poll(() => inputsOf(decideApproval))
      .toEqual([{ id: 4, isApproved: true, reason: 'seen it too' }])
    await expect.element(detail()).toHaveAccessibleName('Adjustment 17')
  })

  test('shows the confirmation key of an approval once, while the next case opens', async () => {
    await openList()
    answer(decideApproval, { confirmation: 'k7m2p-aaaaa-bbbbb-ccccc' })
    await row('Halt 4').click()
    await expect.element(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
    await userEvent.keyboard('a')
    await reason().fill('met them')
    await press('Approve')
    const dialog = page.getByRole('dialog', { name: 'The confirmation key' })
    await expect.element(dialog.getByText('k7m2p-aaaaa-bbbbb-ccccc', { exact: true }).first()).toBeVisible()
    await press('Done')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(detail()).toHaveAccessibleName('Adjustment 17')
  })

  test('is rejected with a reason, and shows why the server did not accept it', async () => {
    await openList()
    await row('Adjustment 17').click()
    await expect.element(page.getByRole('button', { name: 'Approve 25.00' })).toBeVisible()
    await userEvent.keyboard('r')
    reject(decideAdjustment, 'caseEnded', 'This case has already ended.')
    await reason().fill('not ours')
    await press('Reject')
    await expect.element(reason()).toHaveAccessibleDescription('This case has already ended.')
    expect(inputsOf(decideAdjustment)).toEqual([{ id: 17, isApproved: false, reason: 'not ours' }])
  })

  test('cannot be approved by the operator who requested it, but withdrawn', async () => {
    answerList()
    answer(
      getWaitingCase,
      waitingDetail({ case: halt, decision: 'approval', barrier: 'sameOperator', mayWithdraw: true }),
    )
    answer(withdrawApproval, null)
    await openDesk('/waiting/approval:4')
    await press('Withdraw…')
    await reason().fill('a false alarm')
    await press('Withdraw')
    await expect.poll(() => inputsOf(withdrawApproval)).toEqual([{ id: 4, reason: 'a false alarm' }])
    expect(page.getByRole('button', { name: /^Approve/ }).query()).toBe(null)
  })

  test('of another operator is taken over first, and shows who else is viewing it', async () => {
    const heldBy = { id: 9, name: 'M. Compliance', role: 'compliance', since: Date.now() } as const
    answerList()
    answer(getWaitingCase, waitingDetail({ case: waitingCase({ heldBy }), barrier: 'caseHeld' }))
    answer(takeCase, null)
    await openDesk('/waiting/adjustment:17')
    await expect.element(page.getByText(/Take it over first/)).toBeVisible()
    await expect.poll(receivedMessages).toContainEqual({ type: 'viewing', caseKey: 'adjustment:17' })
    pushViewers('adjustment:17', ['M. Compliance', self().name])
    await expect.element(page.getByText('M. Compliance is viewing this as well.')).toBeVisible()
    await press('Take over')
    await expect.poll(() => inputsOf(takeCase)).toEqual([{ caseKey: 'adjustment:17', from: 9 }])
  })

  test('is taken only by a role that may decide it', async () => {
    answerList()
    answer(getWaitingCase, waitingDetail({ barrier: 'roleRefused' }))
    await openDesk('/waiting/adjustment:17', { as: self({ role: 'support' }) })
    await expect.element(detail().getByText('Not assigned')).toBeVisible()
    await expect.element(detail().getByText('Your role cannot decide this.')).toBeVisible()
    expect(detail().getByRole('button', { name: 'Take' }).query()).toBe(null)
    await userEvent.keyboard('t')
    expect(inputsOf(takeCase)).toEqual([])
  })

  test('is handed over by the operator it is assigned to, on a phone too', async () => {
    const heldBy = { id: self().id, name: self().name, role: 'administrator', since: Date.now() } as const
    answerList()
    answer(getWaitingCase, waitingDetail({ case: waitingCase({ heldBy }) }))
    answer(handOnCase, null)
    await openDesk('/waiting/adjustment:17', { size: PHONE })
    await press('Hand over')
    await press('Hand over')
    await expect
      .element(page.getByLabelText('To', { exact: true }))
      .toHaveAccessibleDescription(/Choose an operator/)
    await page.getByLabelText('To', { exact: true }).selectOptions('M. Compliance (Compliance)')
    await press('Hand over')
    await expect
      .poll(() => inputsOf(handOnCase))
      .toEqual([{ caseKey: 'adjustment:17', operatorId: 2, note: null }])
  })

  test('that another operator has decided in the meantime says so and cannot be decided again', async () => {
    await openList()
    await row('Adjustment 17').click()
    await expect.element(page.getByRole('button', { name: 'Approve 25.00' })).toBeVisible()
    reject(getWaitingCase, 'caseEnded', 'This case has already ended.')
    pushChanged('waiting')
    await expect.element(detail().getByText('This case has already ended.')).toBeVisible()
    expect(page.getByRole('button', { name: /^Approve/ }).query()).toBe(null)
  })
})
