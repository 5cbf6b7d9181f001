import './theme.css'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Confirm, Sheet } from './sheet.tsx'

afterEach(() => void (document.documentElement.dir = 'ltr'))

type Acts = { onConfirm?: () => void; onClose?: () => void; isBusy?: boolean }

/** A button that asks before it acts, as every screen has one. */
function Asking({ onConfirm = () => undefined, onClose = () => undefined, isBusy = false }: Acts) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Throw it away
      </button>
      <Confirm
        isOpen={isOpen}
        title="Throw it away?"
        text="It cannot be found again."
        confirmLabel="Throw"
        cancelLabel="Keep"
        isBusy={isBusy}
        onConfirm={onConfirm}
        onClose={() => {
          setIsOpen(false)
          onClose()
        }}
      />
    </>
  )
}

const opener = () => page.getByRole('button', { name: 'Throw it away' })
const question = () => page.getByRole('alertdialog', { name: 'Throw it away?' })
const ask = async (acts: Acts = {}) => {
  await render(<Asking {...acts} />)
  await opener().click()
  await expect.element(question()).toBeVisible()
}

describe('a question before something that cannot be undone', () => {
  test('is not there before it is asked', async () => {
    await render(<Asking />)
    await expect.element(opener()).toBeVisible()
    await expect.element(question()).not.toBeInTheDocument()
  })

  test('names what will happen, for those who listen too', async () => {
    await ask()
    await expect.element(question()).toHaveAccessibleDescription('It cannot be found again.')
  })

  test('does nothing but close when the answer is no', async () => {
    const onConfirm = vi.fn()
    await ask({ onConfirm })
    await question().getByRole('button', { name: 'Keep' }).click()
    await expect.element(question()).not.toBeInTheDocument()
    expect(onConfirm).not.toHaveBeenCalled()
  })

  test('acts once when the answer is yes, and leaves the closing to whoever asked', async () => {
    const onConfirm = vi.fn()
    await ask({ onConfirm })
    await question().getByRole('button', { name: 'Throw' }).click()
    expect(onConfirm).toHaveBeenCalledOnce()
    await expect.element(question()).toBeVisible()
  })

  test('Escape is a no', async () => {
    const onConfirm = vi.fn()
    const onClose = vi.fn()
    await ask({ onConfirm, onClose })
    await userEvent.keyboard('{Escape}')
    await expect.element(question()).not.toBeInTheDocument()
    expect(onClose).toHaveBeenCalled()
    expect(onConfirm).not.toHaveBeenCalled()
  })

  test('keeps the keyboard inside, and gives it back afterwards', async () => {
    await ask()
    for (let press = 0; press < 4; press += 1) {
      await userEvent.tab()
      expect(question().element().contains(document.activeElement)).toBe(true)
    }
    await userEvent.keyboard('{Escape}')
    await expect.element(opener()).toHaveFocus()
  })

  test('cannot be answered yes twice while the first is under way', async () => {
    await ask({ isBusy: true })
    const yes = question().getByRole('button', { name: 'Throw' })
    await expect.element(yes).toBeDisabled()
    await expect.element(yes).toHaveAttribute('aria-busy', 'true')
    await expect.element(question().getByRole('button', { name: 'Keep' })).toBeEnabled()
  })

  test('lies within the screen, whatever its length', async () => {
    await page.viewport(320, 480)
    await render(
      <Confirm
        isOpen
        title="A long question?"
        text={'A long sentence about what will happen. '.repeat(30)}
        confirmLabel="Yes"
        cancelLabel="No"
        onConfirm={() => undefined}
        onClose={() => undefined}
      />,
    )
    const yes = page.getByRole('button', { name: 'Yes' })
    await expect.element(yes).toBeInTheDocument()
    yes.element().scrollIntoView()
    await expect.element(yes).toBeInViewport()
    const { left, right } = page.getByRole('alertdialog').element().getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(320)
    await page.viewport(390, 844)
  })
})

function Opening({ side = 'bottom' }: { side?: 'bottom' | 'start' }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        More
      </button>
      <Sheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="More of it"
        closeLabel="Close"
        side={side}
      >
        <p>Here is more.</p>
      </Sheet>
    </>
  )
}

const sheet = () => page.getByRole('dialog', { name: 'More of it' })
const open = async (side: 'bottom' | 'start' = 'bottom') => {
  await render(<Opening side={side} />)
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(page.getByText('Here is more.')).toBeVisible()
}

describe('a sheet over the screen', () => {
  test('closes by its button, and gives the keyboard back', async () => {
    await open()
    await sheet().getByRole('button', { name: 'Close' }).click()
    await expect.element(sheet()).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'More' })).toHaveFocus()
  })

  test('closes by Escape', async () => {
    await open()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet()).not.toBeInTheDocument()
  })

  test('closes by a tap beside it', async () => {
    await open()
    await userEvent.click(document.body, { position: { x: 20, y: 20 }, force: true })
    await expect.element(sheet()).not.toBeInTheDocument()
  })

  test('comes again after it was closed', async () => {
    await open()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'More' }).click()
    await expect.element(sheet()).toBeVisible()
  })

  test('from below it is as wide as the phone and ends at its foot', async () => {
    await open()
    await expect.poll(() => Math.round(sheet().element().getBoundingClientRect().bottom)).toBe(innerHeight)
    expect(Math.round(sheet().element().getBoundingClientRect().width)).toBe(innerWidth)
  })

  test.each([
    ['ltr', 'left', 0],
    ['rtl', 'right', 390],
  ] as const)('from the leading edge it stands, read %s, at the %s', async (direction, edge, at) => {
    document.documentElement.dir = direction
    await open('start')
    await expect.poll(() => Math.round(sheet().element().getBoundingClientRect()[edge])).toBe(at)
  })
})
