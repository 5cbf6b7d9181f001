import './theme.css'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { Chip, ChipRow } from './chip.tsx'
import { CopyButton } from './copy-button.tsx'
import { TextField } from './field.tsx'
import { MeterBar } from './meter-bar.tsx'
import { NumberStepper } from './number-stepper.tsx'
import { PasswordField } from './password-field.tsx'
import { ProgressLine } from './progress-line.tsx'
import { QrCode } from './qr-code.tsx'
import { Segmented } from './segmented.tsx'
import { Sparkline } from './sparkline.tsx'

type StepperProps = Partial<Parameters<typeof NumberStepper>[0]>

function Stepper({ value: first = '0.10', ...rest }: StepperProps) {
  const [value, setValue] = useState(first)
  return (
    <NumberStepper
      label="Lots"
      decreaseLabel="Fewer"
      increaseLabel="More"
      step="0.01"
      min="0.01"
      max="0.20"
      value={value}
      onChange={setValue}
      {...rest}
    />
  )
}

describe('a figure with minus and plus', () => {
  const figure = () => page.getByRole('textbox', { name: 'Lots' })
  const more = () => page.getByRole('button', { name: 'More' })
  const fewer = () => page.getByRole('button', { name: 'Fewer' })

  test('moves by its step, exactly', async () => {
    await render(<Stepper value="0.10" />)
    for (let press = 0; press < 3; press += 1) await more().click()
    await expect.element(figure()).toHaveValue('0.13')
    await fewer().click()
    await expect.element(figure()).toHaveValue('0.12')
  })

  test('rests at its ends', async () => {
    await render(<Stepper value="0.19" />)
    await more().click()
    await expect.element(figure()).toHaveValue('0.20')
    await expect.element(more()).toBeDisabled()
    await figure().fill('0.01')
    await expect.element(fewer()).toBeDisabled()
    await expect.element(more()).toBeEnabled()
  })

  test('goes on while it is held, and stops when it is let go', async () => {
    const onChange = vi.fn()
    await render(<Stepper onChange={onChange} />)
    const press = (type: string) =>
      more()
        .element()
        .dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1 }))
    press('pointerdown')
    await expect.poll(() => onChange.mock.calls.length).toBeGreaterThan(2)
    press('pointerup')
    const count = onChange.mock.calls.length
    await new Promise((resolve) => requestAnimationFrame(resolve))
    expect(onChange.mock.calls.length).toBe(count)
  })

  test('leads back to the grid from between two steps', async () => {
    await render(<Stepper value="0.105" />)
    await more().click()
    await expect.element(figure()).toHaveValue('0.11')
  })

  test('begins at its least with what is no number', async () => {
    await render(<Stepper value="many" />)
    await more().click()
    await expect.element(figure()).toHaveValue('0.01')
  })

  test('takes a comma for the point, and no spaces', async () => {
    await render(<Stepper />)
    await figure().fill(' 0,15 ')
    await expect.element(figure()).toHaveValue('0.15')
  })

  test('says what is wrong with it where it stands', async () => {
    await render(<Stepper problem="At most 0.20 lots." />)
    await expect.element(figure()).toBeInvalid()
    await expect.element(figure()).toHaveAccessibleDescription('At most 0.20 lots.')
    await expect.element(page.getByRole('alert')).toMatchTextContent('At most 0.20 lots.')
  })

  test('cannot be moved while it is out of use', async () => {
    await render(<Stepper isDisabled />)
    await expect.element(figure()).toBeDisabled()
    await expect.element(more()).toBeDisabled()
    await expect.element(fewer()).toBeDisabled()
  })

  test('is read left to right also where words are not', async () => {
    await render(
      <div dir="rtl">
        <Stepper />
      </div>,
    )
    const [minus, plus] = [fewer(), more()].map((button) => button.element().getBoundingClientRect().left)
    expect(minus).toBeLessThan(plus ?? 0)
  })
})

describe('a line of text', () => {
  const Field = (props: { hint?: string; problem?: string }) => (
    <TextField label="Name" value="" onChange={() => undefined} {...props} />
  )

  test('has its label and its hint', async () => {
    await render(<Field hint="As on your passport." />)
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.element(field).toHaveAccessibleDescription('As on your passport.')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('says a problem in the place of the hint, and aloud', async () => {
    await render(<Field hint="As on your passport." problem="Write your name." />)
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.element(field).toHaveAccessibleDescription('Write your name.')
    await expect.element(page.getByRole('alert')).toMatchTextContent('Write your name.')
  })
})

describe('a password', () => {
  test('is hidden until it is shown on purpose, and keeps where one types', async () => {
    const onChange = vi.fn()
    await render(
      <PasswordField label="Password" showLabel="Show" hideLabel="Hide" value="abc" onChange={onChange} />,
    )
    const field = page.getByLabelText('Password')
    await expect.element(field).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.element(field).toHaveAttribute('type', 'text')
    await field.fill('abcd')
    expect(onChange).toHaveBeenLastCalledWith('abcd')
    await page.getByRole('button', { name: 'Hide' }).click()
    await expect.element(field).toHaveAttribute('type', 'password')
  })

  test('the eye does not send the form it stands in', async () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
    await render(
      <form onSubmit={onSubmit}>
        <PasswordField
          label="Password"
          showLabel="Show"
          hideLabel="Hide"
          value=""
          onChange={() => undefined}
        />
      </form>,
    )
    await page.getByRole('button', { name: 'Show' }).click()
    expect(onSubmit).not.toHaveBeenCalled()
  })
})

describe('one of a few side by side', () => {
  const OPTIONS = ['day', 'week', 'month'].map((value) => ({ value, label: value }))
  function Choice() {
    const [value, setValue] = useState('day')
    return <Segmented label="Span" options={OPTIONS} value={value} onChange={setValue} />
  }

  test('the arrow keys lead through them', async () => {
    await render(<Choice />)
    await userEvent.tab()
    await expect.element(page.getByRole('radio', { name: 'day' })).toHaveFocus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByRole('radio', { name: 'week' })).toBeChecked()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    await expect.element(page.getByRole('radio', { name: 'month' })).toBeChecked()
  })

  test('a tap on the words picks one, and only one is picked', async () => {
    await render(<Choice />)
    await page.getByText('month').click()
    await expect.element(page.getByRole('radio', { name: 'month' })).toBeChecked()
    await expect.element(page.getByRole('radio', { name: 'day' })).not.toBeChecked()
    await expect.element(page.getByRole('radiogroup', { name: 'Span' })).toBeVisible()
  })
})

describe('a sentence to agree to', () => {
  test('is agreed to by a tap on the sentence, which is 44 px high', async () => {
    const onChange = vi.fn()
    await render(
      <Checkbox isChecked={false} onChange={onChange}>
        I agree.
      </Checkbox>,
    )
    await page.getByText('I agree.').click()
    expect(onChange).toHaveBeenCalledWith(true)
    const label = page.getByRole('checkbox').element().closest('label')
    expect(label?.getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  })

  test('says that it is needed, at its place', async () => {
    await render(
      <Checkbox isChecked={false} onChange={() => undefined} problem="Agree first.">
        I agree.
      </Checkbox>,
    )
    await expect.element(page.getByRole('checkbox')).toHaveAccessibleDescription('Agree first.')
    await expect.element(page.getByRole('checkbox')).toBeInvalid()
  })
})

describe('buttons', () => {
  test('one that waits keeps its width and its name', async () => {
    const screen = await render(<Button>Send it</Button>)
    const button = page.getByRole('button', { name: 'Send it' })
    const before = button.element().getBoundingClientRect().width
    await screen.rerender(<Button isBusy>Send it</Button>)
    const busy = page.getByRole('button')
    await expect.element(busy).toBeDisabled()
    expect(busy.element().getBoundingClientRect().width).toBe(before)
  })

  test('does not send a form unless it says so', async () => {
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

  test.each(['small', 'medium', 'large'] as const)('a %s one can be met by a finger', async (size) => {
    await render(<Button size={size}>Go</Button>)
    expect(page.getByRole('button').element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  })

  test('a filter says whether it is on, and is met by a finger', async () => {
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

describe('copying', () => {
  const copyButton = (text: string) => (
    <CopyButton text={text} label="Copy" doneLabel="Copied" failedText="It cannot be copied." />
  )

  test('says that it is done, until there is something else to copy', async () => {
    const screen = await render(copyButton('one'))
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    await expect.element(page.getByRole('status')).toMatchTextContent('Copied')
    await screen.rerender(copyButton('two'))
    await expect.element(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
  })
})

describe('drawings', () => {
  test('a measure is read as a part of a hundred, and in words', async () => {
    await render(<MeterBar label="Level" valueText="250 %" part={0.6} tone="brass" />)
    const meter = page.getByRole('meter', { name: 'Level' })
    await expect.element(meter).toHaveAttribute('aria-valuenow', '60')
    await expect.element(meter).toHaveAttribute('aria-valuetext', '250 %')
  })

  test.each([
    [-1, 0],
    [0.5, 0.5],
    [3, 1],
  ])('a part of %d fills %d of the bar', async (part, shown) => {
    await render(<MeterBar label="Level" valueText="" part={part} tone="danger" />)
    const meter = page.getByRole('meter').element()
    const filled = meter.firstElementChild?.getBoundingClientRect().width ?? 0
    expect(filled / meter.getBoundingClientRect().width).toBeCloseTo(shown, 2)
  })

  test('a small chart has a name where it says something, and none where it does not', async () => {
    await render(
      <>
        <Sparkline values={[1, 2, 3]} tone="up" label="EUR/USD, last 60 bars" />
        <Sparkline values={[1, 1]} tone="down" />
      </>,
    )
    await expect.element(page.getByRole('img', { name: 'EUR/USD, last 60 bars' })).toBeInTheDocument()
    expect(page.getByRole('img').elements()).toHaveLength(1)
  })

  test('a code for the camera is dark on white in every theme', async () => {
    await render(<QrCode text="otpauth://totp/x" label="Code" />)
    const svg = page.getByRole('img', { name: 'Code' }).element()
    expect(svg.querySelector('rect')?.getAttribute('fill')).toBe('white')
    expect(svg.querySelector('path')?.getAttribute('d')?.length).toBeGreaterThan(500)
  })

  test('the line at the top is there while something is under way', async () => {
    const screen = await render(<ProgressLine label="Loading" isActive />)
    await expect.element(page.getByRole('progressbar', { name: 'Loading' })).toBeInTheDocument()
    await screen.rerender(<ProgressLine label="Loading" isActive={false} />)
    await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument()
  })
})
