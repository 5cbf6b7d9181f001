import '../theme/theme.css'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Button } from './button.tsx'
import { Chip, ChipRow } from './chip.tsx'
import { CopyButton } from './copy-button.tsx'
import { Segmented } from './segmented.tsx'

describe('buttons', () => {
  test('a busy button keeps its width and its name', async () => {
    const screen = await render(<Button>Send it</Button>)
    const button = page.getByRole('button', { name: 'Send it' })
    const before = button.element().getBoundingClientRect().width
    await screen.rerender(<Button isBusy>Send it</Button>)
    const busy = page.getByRole('button')
    await expect.element(busy).toBeDisabled()
    expect(busy.element().getBoundingClientRect().width).toBe(before)
  })

  test('only a submit button submits the form', async () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
    await render(
      <form onSubmit={onSubmit}>
        <Button>Aside</Button>
        <Button type="submit">Send</Button>
      </form>,
    )
    await page.getByRole('button', { name: 'Aside' }).click()
    expect(onSubmit).not.toHaveBeenCalled()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(onSubmit).toHaveBeenCalledOnce()
  })

  test.each(['small', 'medium', 'large'] as const)('a %s button is at least 44 px high', async (size) => {
    await render(<Button size={size}>Go</Button>)
    expect(page.getByRole('button').element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  })

  test('a chip says whether it is selected, and is at least 44 px high', async () => {
    const onSelect = vi.fn()
    await render(
      <ChipRow label="Kinds">
        <Chip isSelected onSelect={onSelect}>
          All
        </Chip>
        <Chip isSelected={false} onSelect={onSelect}>
          Some
        </Chip>
      </ChipRow>,
    )
    await expect.element(page.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true')
    const some = page.getByRole('button', { name: 'Some' })
    await some.click()
    expect(onSelect).toHaveBeenCalledOnce()
    expect(some.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  })
})

describe('a segmented control', () => {
  const OPTIONS = ['day', 'week', 'month'].map((value) => ({ value, label: value }))
  function Choice() {
    const [value, setValue] = useState('day')
    return <Segmented label="Span" options={OPTIONS} value={value} onChange={setValue} />
  }

  test('is moved through by the arrow keys', async () => {
    await render(<Choice />)
    await userEvent.tab()
    await expect.element(page.getByRole('radio', { name: 'day' })).toHaveFocus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByRole('radio', { name: 'week' })).toBeChecked()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    await expect.element(page.getByRole('radio', { name: 'month' })).toBeChecked()
  })

  test('selects the tapped option only', async () => {
    await render(<Choice />)
    await page.getByText('month').click()
    await expect.element(page.getByRole('radio', { name: 'month' })).toBeChecked()
    await expect.element(page.getByRole('radio', { name: 'day' })).not.toBeChecked()
    await expect.element(page.getByRole('radiogroup', { name: 'Span' })).toBeVisible()
  })
})

describe('a copy button', () => {
  const copyButton = (text: string) => (
    <CopyButton text={text} label="Copy" doneLabel="Copied" failedText="It cannot be copied." />
  )

  test('confirms the copy until the text changes', async () => {
    const screen = await render(copyButton('one'))
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    await expect.element(page.getByRole('status')).toMatchTextContent('Copied')
    await screen.rerender(copyButton('two'))
    await expect.element(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
  })
})
