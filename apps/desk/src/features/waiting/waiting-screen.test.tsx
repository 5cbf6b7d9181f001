import {
  decideAdjustment,
  decideApproval,
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
import { answer, asked, heardMessages, refuse, tellChanged, tellViewers } from '../../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../../testing/waiting-case.ts'

withFakeServer()

const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const detail = () => page.getByRole('complementary')
const reason = () => page.getByLabelText('Reason')

const halt = waitingCase({
  ...{ caseKey: 'approval:4', kind: 'halt', title: 'Halt 4', what: 'instrument EURUSD', accountId: null },
  ...{ amount: null, risk: 'high' },
})

function answerList(cases: readonly WaitingCase[] = [halt, waitingCase()]): void {
  answer(listWaiting, ({ kind, held }) => {
    const fitting = cases.filter(
      (each) => (kind === null || each.kind === kind) && (held === null || each.heldBy),
    )
    const kinds = [
      { kind: 'halt', name: 'Halts asked for', count: 1 },
      { kind: 'adjustment', name: 'Adjustments', count: 1 },
    ]
    return { cases: fitting, total: fitting.length, all: cases.length, kinds }
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
  test('is where the desk opens, and the rail counts it', async () => {
    await openList()
    await expect.element(page.getByRole('link', { name: /Waiting/ })).toHaveTextContent('Waiting2')
    await expect.element(row('Halt 4 high risk')).toBeVisible()
    await expect.element(row('Adjustment 17 .*[+]25[.]00')).toBeVisible()
    await expect.element(page.getByText('55 of 55 fresh')).toBeVisible()
  })

  test('is narrowed by kind, by who holds, and by words', async () => {
    await openList()
    await press('Halts asked for 1')
    await expect.element(row('Adjustment 17')).not.toBeInTheDocument()
    await press('Held by you')
    await expect.element(page.getByText('Nothing fits')).toBeVisible()
    await press('All 2')
    await userEvent.keyboard('/')
    await page.getByRole('searchbox').fill('100017')
    await expect
      .poll(() => asked(listWaiting).at(-1))
      .toMatchObject({ search: '100017', kind: null, held: null })
  })

  test('counts anew when the server says that something has changed', async () => {
    await openList()
    answerList([waitingCase()])
    tellChanged('waiting')
    await expect.element(page.getByRole('link', { name: /Waiting/ })).toHaveTextContent('Waiting1')
    await expect.element(row('Halt 4')).not.toBeInTheDocument()
  })

  test('says that nothing waits', async () => {
    await openDesk('/waiting')
    await expect.element(page.getByText('Nothing waits')).toBeVisible()
  })
})

describe('a case', () => {
  test('shows what decides it, its steps, and the words of the trader in both languages', async () => {
    await openList()
    await row('Adjustment 17').click()
    await expect.element(detail().getByText('1,204.50')).toBeVisible()
    await expect.element(detail().getByText(/Asked by S. Support \(support\)/)).toBeVisible()
    await expect.element(detail().getByText('Correction of the balance booked')).toBeVisible()
    await expect.element(detail().getByText('已入帳')).toHaveAttribute('lang', 'zh-HK')
    expect(location.hash).toBe('#/waiting/adjustment:17')
  })

  test('says by labels what would change, and in a sentence why no trader reads anything of it', async () => {
    answerList()
    const changes = [{ field: 'isOn', before: 'true', after: 'false' }]
    const noWords = 'No trader reads anything of this: it is about the desk alone.'
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
    await expect.element(detail().getByText('What traders read')).toBeVisible()
    await expect.element(detail().getByText(noWords)).toBeVisible()
  })

  test('is opened, taken and approved by keys alone, and the next one follows', async () => {
    await openList()
    answer(takeCase, null)
    answer(decideApproval, null)
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.element(detail()).toHaveAccessibleName('Halt 4')
    await userEvent.keyboard('t')
    await expect.poll(() => asked(takeCase)).toEqual([{ caseKey: 'approval:4', from: null }])
    await userEvent.keyboard('a')
    await reason().fill('seen it too')
    await press('Approve')
    await expect
      .poll(() => asked(decideApproval))
      .toEqual([{ id: 4, isApproved: true, reason: 'seen it too' }])
    await expect.element(detail()).toHaveAccessibleName('Adjustment 17')
  })

  test('is refused with a reason, and says why the server would not', async () => {
    await openList()
    await row('Adjustment 17').click()
    await expect.element(page.getByRole('button', { name: 'Approve 25.00' })).toBeVisible()
    await userEvent.keyboard('r')
    refuse(decideAdjustment, 'caseEnded', 'This case has already ended.')
    await reason().fill('not ours')
    await press('Refuse')
    await expect.element(reason()).toHaveAccessibleDescription('This case has already ended.')
    expect(asked(decideAdjustment)).toEqual([{ id: 17, isApproved: false, reason: 'not ours' }])
  })

  test('of whoever asked is not approved by them, but taken back', async () => {
    answerList()
    answer(
      getWaitingCase,
      waitingDetail({ case: halt, decision: 'approval', barrier: 'sameOperator', mayWithdraw: true }),
    )
    answer(withdrawApproval, null)
    await openDesk('/waiting/approval:4')
    await press('Take it back…')
    await reason().fill('a false alarm')
    await press('Take it back')
    await expect.poll(() => asked(withdrawApproval)).toEqual([{ id: 4, reason: 'a false alarm' }])
    expect(page.getByRole('button', { name: /^Approve/ }).query()).toBe(null)
  })

  test('of somebody else is taken over first, and shows who else looks at it', async () => {
    const heldBy = { id: 9, name: 'M. Compliance', role: 'compliance', since: Date.now() } as const
    answerList()
    answer(getWaitingCase, waitingDetail({ case: waitingCase({ heldBy }), barrier: 'caseHeld' }))
    answer(takeCase, null)
    await openDesk('/waiting/adjustment:17')
    await expect.element(page.getByText(/take it over first/)).toBeVisible()
    await expect.poll(heardMessages).toContainEqual({ type: 'viewing', caseKey: 'adjustment:17' })
    tellViewers('adjustment:17', ['M. Compliance', self().name])
    await expect.element(page.getByText('M. Compliance looks at this too.')).toBeVisible()
    await press('Take over')
    await expect.poll(() => asked(takeCase)).toEqual([{ caseKey: 'adjustment:17', from: 9 }])
  })

  test('that one holds is handed on, on a phone too', async () => {
    const heldBy = { id: self().id, name: self().name, role: 'administrator', since: Date.now() } as const
    answerList()
    answer(getWaitingCase, waitingDetail({ case: waitingCase({ heldBy }) }))
    answer(handOnCase, null)
    await openDesk('/waiting/adjustment:17', { size: PHONE })
    await press('Hand on')
    await press('Hand on')
    await expect.element(page.getByLabelText('To', { exact: true })).toHaveAccessibleDescription(/Choose who/)
    await page.getByLabelText('To', { exact: true }).selectOptions('M. Compliance (compliance)')
    await press('Hand on')
    await expect
      .poll(() => asked(handOnCase))
      .toEqual([{ caseKey: 'adjustment:17', operatorId: 2, note: null }])
  })

  test('that somebody else has decided meanwhile says so and cannot be decided', async () => {
    await openList()
    await row('Adjustment 17').click()
    await expect.element(page.getByRole('button', { name: 'Approve 25.00' })).toBeVisible()
    refuse(getWaitingCase, 'caseEnded', 'This case has already ended.')
    tellChanged('waiting')
    await expect.element(detail().getByText('This case has already ended.')).toBeVisible()
    expect(page.getByRole('button', { name: /^Approve/ }).query()).toBe(null)
  })
})
