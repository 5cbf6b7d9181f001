import { changeOperator, inviteOperator, listOperators, renewInvitation } from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, operator, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, askedWith, cut, refuse } from '../../testing/fake-server.ts'

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
  test('is walked and opened by keys, from wherever the focus is not needed', async () => {
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

  test('on a phone is cards, and what is open has the screen', async () => {
    await openList({ size: PHONE })
    await page.getByRole('button', { name: /S. Support/ }).click()
    await expect.element(detail()).toHaveFocus()
    await press('Close')
    await expect.element(page.getByRole('button', { name: /S. Support/ })).toHaveFocus()
  })

  test('says why it could not be loaded, and tries again', async () => {
    cut(listOperators)
    await openDesk('/settings/operators')
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    answer(listOperators, { operators: three })
    await press('Try again')
    await expect.element(row('S. Support')).toBeVisible()
  })

  test('is only read by whoever may not change it', async () => {
    await openList({ as: self({ role: 'support' }) })
    await row('M. Compliance').click()
    await expect.element(detail()).toBeVisible()
    expect(page.getByRole('button', { name: 'Change role' }).query()).toBe(null)
    expect(page.getByRole('button', { name: 'Invite' }).query()).toBe(null)
  })
})

describe('an act with a reason', () => {
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
    await expect.element(reason()).toHaveAccessibleDescription(/Say why/)
    await expect.element(reason()).toHaveFocus()
    expect(asked(changeOperator)).toEqual([])
  })

  test('shows what it was and what it will be, is done, and closes', async () => {
    await openRole()
    await expect.element(page.getByRole('deletion')).toHaveTextContent('Compliance')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('Finance')
    answer(changeOperator, { approvalId: null })
    await reason().fill(' new duties ')
    await press('Change role')
    await expect.element(page.getByText('The role is changed.').first()).toBeVisible()
    expect(asked(changeOperator)).toEqual([{ id: 2, role: 'finance', isOn: null, reason: 'new duties' }])
    await expect.element(page.getByRole('dialog', { name: /Role of/ })).not.toBeInTheDocument()
  })

  test('says when it waits for a second person', async () => {
    await openRole()
    answer(changeOperator, { approvalId: 7 })
    await reason().fill('new duties')
    await press('Change role')
    await expect.element(page.getByText(/waits for a second person/).first()).toBeVisible()
  })

  test('says at the field why it was refused, and can be sent again', async () => {
    await openRole()
    refuse(changeOperator, 'notUnderstood', 'Nobody changes their own role.')
    await reason().fill('new duties')
    await press('Change role')
    await expect.element(reason()).toHaveAccessibleDescription('Nobody changes their own role.')
    answer(changeOperator, { approvalId: null })
    await press('Change role')
    await expect.element(page.getByText('The role is changed.').first()).toBeVisible()
    expect(askedWith(changeOperator)).toHaveLength(2)
  })
})

describe('an invitation', () => {
  test('is a link that is shown once', async () => {
    await openList()
    await press('Invite')
    answer(inviteOperator, { approvalId: null, invitation: 'once+only' })
    await page.getByLabelText('Name').fill('N. New')
    await page.getByLabelText('Reason').fill('a new colleague')
    await press('Invite')
    await expect.element(page.getByText(/#\/join\?invitation=once%2Bonly/).first()).toBeVisible()
    await press('Done')
    await expect.element(page.getByText(/#\/join/)).not.toBeInTheDocument()
    expect(asked(inviteOperator)).toEqual([{ name: 'N. New', role: 'support', reason: 'a new colleague' }])
  })

  test('can be made anew for whoever has not joined', async () => {
    await openList()
    await row('D. Dealing').click()
    await press('New invitation')
    answer(renewInvitation, { invitation: 'another' })
    await page.getByLabelText('Reason').fill('the link was lost')
    await press('Make it')
    await expect.element(page.getByText(/invitation=another/).first()).toBeVisible()
  })
})
