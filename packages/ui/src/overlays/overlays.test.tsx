import '../theme/theme.css'
import { type ReactNode, useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { forgetMissingPart, useMissingPart } from '../feedback/missing-part.ts'
import { lazyOverlay } from './lazy-overlay.tsx'
import { Confirm, Sheet } from './sheet.tsx'

afterEach(() => void (document.documentElement.dir = 'ltr'))

type ConfirmOptions = { onConfirm?: () => void; onClose?: () => void; isBusy?: boolean }

/** A button that opens a confirmation. */
function Deletion({
  onConfirm = () => undefined,
  onClose = () => undefined,
  isBusy = false,
}: ConfirmOptions) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Delete
      </button>
      <Confirm
        isOpen={isOpen}
        title="Delete it?"
        text="It cannot be restored."
        confirmLabel="Delete it"
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

const opener = () => page.getByRole('button', { name: 'Delete', exact: true })
const confirmation = () => page.getByRole('alertdialog', { name: 'Delete it?' })
const openConfirmation = async (options: ConfirmOptions = {}) => {
  await render(<Deletion {...options} />)
  await opener().click()
  await expect.element(confirmation()).toBeVisible()
}

describe('a confirmation', () => {
  test('is closed at first', async () => {
    await render(<Deletion />)
    await expect.element(opener()).toBeVisible()
    await expect.element(confirmation()).not.toBeInTheDocument()
  })

  test('describes what will happen, to screen readers too', async () => {
    await openConfirmation()
    await expect.element(confirmation()).toHaveAccessibleDescription('It cannot be restored.')
  })

  test('only closes when the user cancels', async () => {
    const onConfirm = vi.fn()
    await openConfirmation({ onConfirm })
    await confirmation().getByRole('button', { name: 'Keep' }).click()
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(onConfirm).not.toHaveBeenCalled()
  })

  test('calls onConfirm once when the user confirms, and stays open until its caller closes it', async () => {
    const onConfirm = vi.fn()
    await openConfirmation({ onConfirm })
    await confirmation().getByRole('button', { name: 'Delete it' }).click()
    expect(onConfirm).toHaveBeenCalledOnce()
    await expect.element(confirmation()).toBeVisible()
  })

  test('is cancelled by Escape', async () => {
    const onConfirm = vi.fn()
    const onClose = vi.fn()
    await openConfirmation({ onConfirm, onClose })
    await userEvent.keyboard('{Escape}')
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(onClose).toHaveBeenCalled()
    expect(onConfirm).not.toHaveBeenCalled()
  })

  test('keeps the focus inside, and returns it when it closes', async () => {
    await openConfirmation()
    for (let press = 0; press < 4; press += 1) {
      await userEvent.tab()
      expect(confirmation().element().contains(document.activeElement)).toBe(true)
    }
    await userEvent.keyboard('{Escape}')
    await expect.element(opener()).toHaveFocus()
  })

  test('cannot be confirmed twice while it is busy', async () => {
    await openConfirmation({ isBusy: true })
    const yes = confirmation().getByRole('button', { name: 'Delete it' })
    await expect.element(yes).toBeDisabled()
    await expect.element(yes).toHaveAttribute('aria-busy', 'true')
    await expect.element(confirmation().getByRole('button', { name: 'Keep' })).toBeEnabled()
  })

  test('fits the screen with a long text', async () => {
    await page.viewport(320, 480)
    await render(
      <Confirm
        isOpen
        title="A long confirmation?"
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

test('an overlay that cannot be loaded closes again and is reported as missing; the next press opens it', async () => {
  forgetMissingPart()
  const load = vi
    .fn<() => Promise<(props: { isOpen: boolean }) => ReactNode>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(({ isOpen }) => isOpen && <p>Here it is.</p>)
  const Late = lazyOverlay<{ isOpen: boolean; onClose: () => void }>(load)
  function Opener() {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(true)}>
          Open
        </button>
        <Late isOpen={isOpen} onClose={() => setIsOpen(false)} />
      </>
    )
  }
  await render(<Opener />)
  const press = page.getByRole('button', { name: 'Open' })
  expect(load).not.toHaveBeenCalled()
  await press.click()
  await expect.poll(() => useMissingPart.getState().isMissing).toBe(true)
  await expect.element(press).toHaveAttribute('aria-expanded', 'false')
  await press.click()
  await expect.element(page.getByText('Here it is.')).toBeVisible()
  await expect.element(press).toHaveAttribute('aria-expanded', 'true')
  expect(load).toHaveBeenCalledTimes(2)
})

function SheetOpener({ side = 'bottom' }: { side?: 'bottom' | 'start' }) {
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
  await render(<SheetOpener side={side} />)
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(page.getByText('Here is more.')).toBeVisible()
}

describe('a sheet over the screen', () => {
  test('closes by its button, and returns the focus', async () => {
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

  test('closes by a press outside', async () => {
    await open()
    await userEvent.click(document.body, { position: { x: 20, y: 20 }, force: true })
    await expect.element(sheet()).not.toBeInTheDocument()
  })

  test('opens again after it was closed', async () => {
    await open()
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'More' }).click()
    await expect.element(sheet()).toBeVisible()
  })

  test('from below it is as wide as the phone and reaches the bottom', async () => {
    await open()
    await expect.poll(() => Math.round(sheet().element().getBoundingClientRect().bottom)).toBe(innerHeight)
    expect(Math.round(sheet().element().getBoundingClientRect().width)).toBe(innerWidth)
  })

  test.each([
    ['ltr', 'left', 0],
    ['rtl', 'right', 390],
  ] as const)('from the leading edge of %s text it is at the %s', async (direction, edge, at) => {
    document.documentElement.dir = direction
    await open('start')
    await expect.poll(() => Math.round(sheet().element().getBoundingClientRect()[edge])).toBe(at)
  })
})
