import '../theme/theme.css'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Checkbox } from './checkbox.tsx'
import { TextField } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { NumberField } from './number-field.tsx'
import { NumberStepper } from './number-stepper.tsx'
import { PasswordField } from './password-field.tsx'
import { useForm } from './use-form.ts'
import { NumberWritingContext } from './use-typed-number.ts'

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

describe('a number stepper', () => {
  const figure = () => page.getByRole('textbox', { name: 'Lots' })
  const more = () => page.getByRole('button', { name: 'More' })
  const fewer = () => page.getByRole('button', { name: 'Fewer' })

  test('moves by exactly one step', async () => {
    await render(<Stepper value="0.10" />)
    for (let press = 0; press < 3; press += 1) await more().click()
    await expect.element(figure()).toHaveValue('0.13')
    await fewer().click()
    await expect.element(figure()).toHaveValue('0.12')
  })

  test('stops at its minimum and maximum', async () => {
    await render(<Stepper value="0.19" />)
    await more().click()
    await expect.element(figure()).toHaveValue('0.20')
    await expect.element(more()).toBeDisabled()
    await figure().fill('0.01')
    await expect.element(fewer()).toBeDisabled()
    await expect.element(more()).toBeEnabled()
  })

  test('repeats while a button is held', async () => {
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

  test('moves to the next step from a value between two steps', async () => {
    await render(<Stepper value="0.105" />)
    await more().click()
    await expect.element(figure()).toHaveValue('0.11')
  })

  test('starts at the minimum when the text is not a number', async () => {
    await render(<Stepper value="many" />)
    await more().click()
    await expect.element(figure()).toHaveValue('0.01')
  })

  test('accepts a decimal comma and ignores spaces, and writes the point once it is left', async () => {
    await render(<Stepper />)
    await figure().fill(' 0,15 ')
    await expect.element(figure()).toHaveValue(' 0,15 ')
    await userEvent.tab()
    await expect.element(figure()).toHaveValue('0.15')
  })

  test('shows its problem below the field', async () => {
    await render(<Stepper problem="At most 0.20 lots." />)
    await expect.element(figure()).toBeInvalid()
    await expect.element(figure()).toHaveAccessibleDescription('At most 0.20 lots.')
    await expect.element(page.getByRole('alert')).toMatchTextContent('At most 0.20 lots.')
  })

  test('cannot be changed while it is disabled', async () => {
    await render(<Stepper isDisabled />)
    await expect.element(figure()).toBeDisabled()
    await expect.element(more()).toBeDisabled()
    await expect.element(fewer()).toBeDisabled()
  })

  test('reads left to right also in right-to-left text', async () => {
    await render(
      <div dir="rtl">
        <Stepper />
      </div>,
    )
    const [minus, plus] = [fewer(), more()].map((button) => button.element().getBoundingClientRect().left)
    expect(minus).toBeLessThan(plus ?? 0)
  })
})

describe('a text field', () => {
  const Field = (props: { hint?: string; problem?: string }) => (
    <TextField label="Name" value="" onChange={() => undefined} {...props} />
  )

  test('has a label and a hint', async () => {
    await render(<Field hint="As on your passport." />)
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.element(field).toHaveAccessibleDescription('As on your passport.')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('shows a problem in place of the hint and announces it', async () => {
    await render(<Field hint="As on your passport." problem="Write your name." />)
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.element(field).toHaveAccessibleDescription('Write your name.')
    await expect.element(page.getByRole('alert')).toMatchTextContent('Write your name.')
  })
})

test.each(['input', 'select', 'textarea'] as const)(
  'no %s on a touch screen is so small that a phone zooms into it',
  (name) => {
    expect(matchMedia('(pointer: coarse)').matches).toBe(true)
    const field = document.body.appendChild(document.createElement(name))
    field.className = 'text-body'
    expect(parseFloat(getComputedStyle(field).fontSize)).toBe(16)
    field.remove()
  },
)

describe('a password field', () => {
  test('hides the text until the user shows it, and stays editable', async () => {
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

  test('the show button does not submit the form', async () => {
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

describe('a checkbox', () => {
  test('is checked by a press on its sentence, which is at least 44 px high', async () => {
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

  test('shows its problem below the sentence', async () => {
    await render(
      <Checkbox isChecked={false} onChange={() => undefined} problem="Agree first.">
        I agree.
      </Checkbox>,
    )
    await expect.element(page.getByRole('checkbox')).toHaveAccessibleDescription('Agree first.')
    await expect.element(page.getByRole('checkbox')).toBeInvalid()
  })
})

describe('a form', () => {
  type Values = { name: string; town: string }
  function Form() {
    const form = useForm<Values>(() => ({ name: '', town: '' }))
    const { values, problems, set, reject, note } = form
    return (
      <FormFrame
        form={form}
        onSubmit={(event) => {
          event.preventDefault()
          reject({ town: 'Write a town.' }, 'Not sent.')
        }}
      >
        <TextField
          label="Name"
          value={values.name}
          problem={problems.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Town"
          value={values.town}
          problem={problems.town}
          onChange={(town) => set({ town })}
        />
        <p>{note}</p>
        <button type="submit">Send</button>
      </FormFrame>
    )
  }
  const name = () => page.getByRole('textbox', { name: 'Name' })
  const town = () => page.getByRole('textbox', { name: 'Town' })
  const send = () => page.getByRole('button', { name: 'Send' })

  test('keeps what was entered and focuses the invalid field', async () => {
    await render(<Form />)
    await name().fill('Ada')
    await send().click()
    await expect.element(town()).toHaveFocus()
    await expect.element(name()).toHaveValue('Ada')
    await expect.element(page.getByText('Not sent.')).toBeVisible()
  })

  test('focuses the field again after the same problem', async () => {
    await render(<Form />)
    await send().click()
    await expect.element(town()).toHaveFocus()
    await name().click()
    await send().click()
    await expect.element(town()).toHaveFocus()
  })

  test('clears the problem of a field that changes, and the note', async () => {
    await render(<Form />)
    await send().click()
    await expect.element(town()).toHaveAccessibleDescription('Write a town.')
    await town().fill('London')
    await expect.element(town()).toHaveAccessibleDescription('')
    await expect.element(page.getByText('Not sent.')).not.toBeInTheDocument()
  })
})

describe('a number field', () => {
  const read = vi.fn()
  function Amount({ first = '' }: { first?: string }) {
    const [value, setValue] = useState(first)
    read(value)
    return <NumberField label="Amount" value={value} problem="Too much" onChange={setValue} />
  }
  const inGerman = (first?: string) => (
    <NumberWritingContext value={{ point: ',', ask: (one, other) => `${one} oder ${other}?` }}>
      <Amount first={first ?? ''} />
    </NumberWritingContext>
  )
  const field = () => page.getByRole('textbox', { name: 'Amount' })
  const value = () => read.mock.lastCall?.[0] as unknown

  test('keeps what was typed, and passes on a plain decimal', async () => {
    await render(<Amount />)
    await field().fill('١٬٢٣٤٫٥')
    await expect.element(field()).toHaveValue('١٬٢٣٤٫٥')
    expect(value()).toBe('1234.5')
    await field().fill('12,5')
    expect(value()).toBe('12.5')
  })

  test('asks which number was meant where it can be two, until one is written', async () => {
    await render(inGerman())
    await field().fill('1.234')
    await expect.element(page.getByRole('alert')).toMatchTextContent('1234 oder 1,234?')
    expect(value()).toBe('1,234')
    await field().fill('1,234')
    await expect.element(page.getByRole('alert')).toMatchTextContent('Too much')
    expect(value()).toBe('1.234')
    await field().fill('1.234')
    await expect.element(page.getByRole('alert')).toMatchTextContent('1234 oder 1,234?')
  })

  test('writes a value as the language does', async () => {
    await render(inGerman('151.25'))
    await expect.element(field()).toHaveValue('151,25')
  })
})

test('a stepper steps from what was typed in any digits, and asks rather than guesses', async () => {
  await render(<Stepper max="9000" />)
  const figure = page.getByRole('textbox', { name: 'Lots' })
  await figure.fill('٠٫١٥')
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(figure).toHaveValue('0.16')
  await figure.fill('1,234')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Do you mean 1234 or 1.234?')
  await page.getByRole('button', { name: '1.234', exact: true }).click()
  await expect.element(figure).toHaveValue('1.234')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await figure.fill('1,234')
  await page.getByRole('button', { name: '1234', exact: true }).click()
  await expect.element(figure).toHaveValue('1234')
})
