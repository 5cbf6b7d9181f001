import { fieldLabel } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import type { Form } from '@fairlot/ui/use-form.ts'
import { PictureField } from '../../ui/picture-field.tsx'
import { lineOf, valueOf, type Reading } from './terms-text.ts'

/** A line of a form of terms. */
export type TermsField<Name extends string> = {
  readonly name: Name
  readonly reading: Reading
  /** One of these; else it is typed. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly hint?: string
  /** Where it is called otherwise than its name says. */
  readonly label?: string
  readonly isFixed?: boolean
  /** The address of a public picture. */
  readonly isPicture?: boolean
}
export type TermsSection<Name extends string> = {
  readonly title: string
  readonly fields: readonly TermsField<Name>[]
}

/** What is typed, by field. */
export type Lines = Readonly<Record<string, string>>

/** Terms as the lines of their form. */
export const linesOf = (sections: readonly TermsSection<string>[], terms: object): Lines =>
  Object.fromEntries(
    sections
      .flatMap(({ fields }) => fields)
      .map(({ name, reading }) => [name, lineOf(reading, (terms as Record<string, never>)[name] as never)]),
  )

/** The terms that the lines say, or what is wrong by field. */
export function termsOf<Terms>(
  sections: readonly TermsSection<string>[],
  lines: Lines,
): { readonly terms: Terms } | { readonly problems: Record<string, string> } {
  const problems: Record<string, string> = {}
  const terms: Record<string, unknown> = {}
  for (const { name, reading } of sections.flatMap(({ fields }) => fields)) {
    const value = valueOf(reading, lines[name] ?? '')
    if (value === undefined) problems[name] = HOW[reading]
    else terms[name] = value
  }
  return Object.keys(problems).length > 0 ? { problems } : { terms: terms as Terms }
}

const NUMBER = 'A plain number, such as 0.25.'
const HOW: Readonly<Record<Reading, string>> = {
  ...{ text: 'This cannot be read.', optionalText: 'This cannot be read.', flag: 'Yes or no.' },
  ...{ whole: 'A whole number.', optionalWhole: 'A whole number, or nothing.' },
  ...{ price: NUMBER, ratio: `${NUMBER} At most six decimals.`, money: NUMBER },
  lots: `${NUMBER} At most four decimals.`,
  hours: 'A number of hours.',
  texts: 'Write names with commas.',
  wholes: 'Whole numbers with commas between, such as 1, 5, 10.',
}

const YES_OR_NO = [
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
]

/** The sections of a form of terms, two lines side by side. */
export const TermsSections = ({
  sections,
  form,
}: {
  sections: readonly TermsSection<string>[]
  form: Form<Lines>
}) => (
  <>
    {sections.map(({ title, fields }) => (
      <fieldset key={title} className="min-w-0">
        <legend className="pb-2 text-note font-bold">{title}</legend>
        <div className="grid grid-cols-2 gap-x-3 gap-y-3">
          {fields.map((field) => (
            <TermsLine key={field.name} field={field} form={form} />
          ))}
        </div>
      </fieldset>
    ))}
  </>
)

function TermsLine({ field, form }: { field: TermsField<string>; form: Form<Lines> }) {
  const { name, reading, hint, label = fieldLabel(name), isFixed = false, isPicture = false } = field
  const options = field.options ?? (reading === 'flag' ? YES_OR_NO : null)
  const shared = {
    ...{ label, hint, problem: form.problems[name], value: form.values[name] ?? '' },
    onChange: (line: string) => form.set({ [name]: line }),
    disabled: isFixed,
  }
  if (isPicture) return <PictureField {...shared} />
  if (options) return <SelectField {...shared} options={options} />
  const isFigure = reading !== 'text' && reading !== 'optionalText'
  return <TextField {...shared} autoComplete="off" {...(isFigure && { inputMode: 'decimal', dir: 'ltr' })} />
}
