import {
  changeOperator,
  inviteOperator,
  listOperators,
  renewDeskFactor,
  renewInvitation,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, operator, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, headersOf, failConnection, reject } from '../../testing/fake-server.ts'

withFakeServer()

const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const detail = () => page.getByRole('complementary')

const three = [
  operator(),
  operator({ id: 3, name: 'D. Dealing', role: 'dealing', status: 'invited', lastSeenAt: null }),
  operator({ id: 4, name: 'S. Support', role: 'support', status: 'off' }),
]

async function openList(options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answer(listOperators, { operators: three })
  await openDesk('/settings/operators', options)
  await expect.element(page.getByText('S. Support')).toBeVisible()
}

describe('the table', () => {
  test('is navigated and opened by keys while no other control has the focus', async () => {
    await openList()
    await userEvent.keyboard('jj')
    await expect.element(row('D. Dealing')).toHaveFocus()
    await userEvent.keyboard('{End}')
    await expect.element(row('S. Support')).toHaveFocus()
    await userEvent.keyboard('k{Home}')
    await expect.element(row('M. Compliance')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(detail()).toHaveAccessibleName('M. Compliance')
    await expect.element(row('M. Compliance')).toHaveAttribute('aria-selected', 'true')
  })

  test('while a row is open the cursor opens the next, and Escape closes it', async () => {
    await openList()
    await row('M. Compliance').click()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(detail()).toHaveAccessibleName('D. Dealing')
    await userEvent.keyboard('{Escape}')
    await expect.element(detail()).not.toBeInTheDocument()
  })

  test('shows cards on a phone, where the open row fills the screen', async () => {
    await openList({ size: PHONE })
    await page.getByRole('button', { name: /S. Support/ }).click()
    await expect.element(detail()).toHaveFocus()
    await press('Close')
    await expect.element(page.getByRole('button', { name: /S. Support/ })).toHaveFocus()
  })

  test('says why it could not be loaded, and tries again', async () => {
    failConnection(listOperators)
    await openDesk('/settings/operators')
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    answer(listOperators, { operators: three })
    await press('Try again')
    await expect.element(row('S. Support')).toBeVisible()
  })

  test('is read-only for roles that may not change it', async () => {
    await openList({ as: self({ role: 'support' }) })
    await row('M. Compliance').click()
    await expect.element(detail()).toBeVisible()
    expect(page.getByRole('button', { name: 'Change role' }).query()).toBe(null)
    expect(page.getByRole('button', { name: 'Invite' }).query()).toBe(null)
  })
})

describe('an action with a reason', () => {
  async function openRole(): Promise<void> {
    await openList()
    await row('M. Compliance').click()
    await press('Change role')
    await page.getByLabelText('Role').selectOptions('finance')
  }
  const reason = () => page.getByLabelText('Reason')

  test('is not sent without one', async () => {
    await openRole()
    await press('Change role')
    await expect.element(reason()).toHaveAccessibleDescription(/Enter a reason/)
    await expect.element(reason()).toHaveFocus()
    expect(inputsOf(changeOperator)).toEqual([])
  })

  test('shows the values before and after, takes effect, and closes the dialog', async () => {
    await openRole()
    await expect.element(page.getByRole('deletion')).toHaveTextContent('Compliance')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('Finance')
    answer(changeOperator, { approvalId: null })
    await reason().fill(' new duties ')
    await press('Change role')
    await expect.element(page.getByText('Role changed.').first()).toBeVisible()
    expect(inputsOf(changeOperator)).toEqual([{ id: 2, role: 'finance', isOn: null, reason: 'new duties' }])
    await expect.element(page.getByRole('dialog', { name: /Role of/ })).not.toBeInTheDocument()
  })

  test('says when it waits for a second operator', async () => {
    await openRole()
    answer(changeOperator, { approvalId: 7 })
    await reason().fill('new duties')
    await press('Change role')
    await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
  })

  test('shows at the field why it was rejected, and can be sent again', async () => {
    await openRole()
    reject(changeOperator, 'notUnderstood', 'Nobody changes their own role.')
    await reason().fill('new duties')
    await press('Change role')
    await expect.element(reason()).toHaveAccessibleDescription('Nobody changes their own role.')
    answer(changeOperator, { approvalId: null })
    await press('Change role')
    await expect.element(page.getByText('Role changed.').first()).toBeVisible()
    expect(headersOf(changeOperator)).toHaveLength(2)
  })
})

describe('an action that needs a new code of the second factor', () => {
  const code = () => page.getByLabelText('Code', { exact: true })

  async function requestRole(): Promise<void> {
    reject(changeOperator, 'secondFactorStale', 'Enter a code to continue.')
    await openList()
    await row('M. Compliance').click()
    await press('Change role')
    await page.getByLabelText('Role').selectOptions('finance')
    await page.getByLabelText('Reason').fill('new duties')
    await press('Change role')
    await expect.element(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible()
  }

  test('prompts for it, then continues with the same request', async () => {
    await requestRole()
    await press('Continue')
    await expect.element(code()).toHaveAccessibleDescription('Enter the authentication code.')
    reject(renewDeskFactor, 'secondFactorWrong', 'The code is wrong.')
    await code().fill('000000')
    await press('Continue')
    await expect.element(code()).toHaveAccessibleDescription('The code is wrong.')
    answer(renewDeskFactor, null)
    answer(changeOperator, { approvalId: null })
    await code().fill('123456')
    await press('Continue')
    await expect.element(page.getByText('Role changed.').first()).toBeVisible()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(inputsOf(renewDeskFactor)).toEqual([{ code: '000000' }, { code: '123456' }])
    const ids = headersOf(changeOperator).map((headers) => headers.get('idempotency-key'))
    expect(ids).toHaveLength(2)
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(ids[1]).toBe(ids[0])
  })

  test('does not take effect without it: the form stays open and says why', async () => {
    await requestRole()
    await code().click()
    await press('Cancel')
    await expect.element(page.getByRole('dialog', { name: 'Confirm that it is you' })).not.toBeInTheDocument()
    await expect
      .element(page.getByLabelText('Reason'))
      .toHaveAccessibleDescription('Enter a code to continue.')
    expect(inputsOf(changeOperator)).toHaveLength(1)
    expect(inputsOf(renewDeskFactor)).toEqual([])
  })
})

describe('an invitation', () => {
  test('is a link that is shown once, and waits for a second operator', async () => {
    await openList()
    await press('Invite')
    answer(inviteOperator, { approvalId: 7, invitation: 'once+only', confirmation: null })
    await page.getByLabelText('Name').fill('N. New')
    await page.getByLabelText('Reason').fill('a new colleague')
    await press('Invite')
    await expect.element(page.getByText(/#\/join\?invitation=once%2Bonly/).first()).toBeVisible()
    expect(page.getByText('Confirmation key', { exact: true }).query()).toBe(null)
    await press('Done')
    await expect.element(page.getByText(/#\/join/)).not.toBeInTheDocument()
    expect(inputsOf(inviteOperator)).toEqual([{ name: 'N. New', role: 'support', reason: 'a new colleague' }])
  })

  test('can be renewed for an operator who has not joined', async () => {
    await openList()
    await row('D. Dealing').click()
    await press('New invitation')
    answer(renewInvitation, { approvalId: null, invitation: 'another', confirmation: 'k7m2p-aaaaa' })
    await page.getByLabelText('Reason').fill('the link was lost')
    await press('Create')
    await expect.element(page.getByText(/invitation=another/).first()).toBeVisible()
    // The only operator who can approve receives both keys.
    await expect.element(page.getByRole('dialog', { name: 'The two keys' })).toBeVisible()
    await expect.element(page.getByText('k7m2p-aaaaa', { exact: true }).first()).toBeVisible()
  })
})
