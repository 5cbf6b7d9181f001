import { fieldLabel, type InstrumentTerms, type TradingTerms } from '@fairlot/contract/desk'
import { type Decimal, decimalText, fromUnits, parseDecimal, readDecimal } from '@fairlot/core/decimal'
import { LOTS_DECIMALS, money, MONEY_DECIMALS, RATIO_DECIMALS } from '@fairlot/core/number'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import type { Form } from '@fairlot/ui/forms/use-form.ts'
import { PictureField } from '../../ui/picture-field.tsx'

/** A field of a form of terms. */
type TermsField<Name extends string> = {
  readonly name: Name
  readonly format: ValueFormat
  /** The choices; without them the value is typed. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly hint?: string
  /** Replaces the default label. */
  readonly label?: string
  readonly isFixed?: boolean
  /** The address of a public picture. */
  readonly isPicture?: boolean
  /** A text of several lines, across both columns. */
  readonly isLong?: boolean
}
export type TermsSection<Name extends string> = {
  readonly title: string
  readonly fields: readonly TermsField<Name>[]
}

/** Typed values by field. */
export type FieldTexts = Readonly<Record<string, string>>

/** Terms as the texts of their fields. */
export const fieldTextsOf = (sections: readonly TermsSection<string>[], terms: object): FieldTexts =>
  Object.fromEntries(
    sections
      .flatMap(({ fields }) => fields)
      .map(({ name, format }) => [
        name,
        fieldTextOf(format, (terms as Record<string, never>)[name] as never),
      ]),
  )

/** Reads the fields as terms, or returns the problems by field. */
export function termsOf<Terms>(
  sections: readonly TermsSection<string>[],
  texts: FieldTexts,
): { readonly terms: Terms } | { readonly problems: Record<string, string> } {
  const problems: Record<string, string> = {}
  const terms: Record<string, unknown> = {}
  for (const { name, format } of sections.flatMap(({ fields }) => fields)) {
    const value = fieldValueOf(format, texts[name] ?? '')
    if (value === undefined) problems[name] = FORMAT_HINTS[format]
    else terms[name] = value
  }
  return Object.keys(problems).length > 0 ? { problems } : { terms: terms as Terms }
}

const NUMBER = 'A plain number, such as 0.25.'
const FORMAT_HINTS: Readonly<Record<ValueFormat, string>> = {
  text: 'This cannot be read.',
  optionalText: 'This cannot be read.',
  flag: 'Yes or no.',
  integer: 'A whole number.',
  optionalInteger: 'A whole number, or empty.',
  price: NUMBER,
  ratio: `${NUMBER} At most six decimals.`,
  money: NUMBER,
  lots: `${NUMBER} At most four decimals.`,
  hours: 'A number of hours.',
  texts: 'Names separated by commas.',
  integers: 'Whole numbers separated by commas, such as 1, 5, 10.',
}

const YES_OR_NO = [
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
]

/** The sections of a form of terms, two fields side by side. */
export const TermsSections = ({
  sections,
  form,
}: {
  sections: readonly TermsSection<string>[]
  form: Form<FieldTexts>
}) => (
  <>
    {sections.map(({ title, fields }) => (
      <fieldset key={title} className="min-w-0">
        <legend className="pb-2 text-note font-bold">{title}</legend>
        <div className="grid grid-cols-2 gap-x-3 gap-y-3">
          {fields.map((field) => (
            <TermsFieldControl key={field.name} field={field} form={form} />
          ))}
        </div>
      </fieldset>
    ))}
  </>
)

function TermsFieldControl({ field, form }: { field: TermsField<string>; form: Form<FieldTexts> }) {
  const {
    name,
    format,
    hint,
    label = fieldLabel(name),
    isFixed = false,
    isPicture = false,
    isLong = false,
  } = field
  const options = field.options ?? (format === 'flag' ? YES_OR_NO : null)
  const shared = {
    label,
    hint,
    problem: form.problems[name],
    value: form.values[name] ?? '',
    onChange: (text: string) => form.set({ [name]: text }),
    disabled: isFixed,
  }
  if (isPicture) return <PictureField {...shared} />
  if (isLong)
    return (
      <div className="col-span-2">
        <TextAreaField {...shared} />
      </div>
    )
  if (options) return <SelectField {...shared} options={options} />
  if (format === 'text' || format === 'optionalText') return <TextField {...shared} autoComplete="off" />
  const isList = format === 'integers' || format === 'texts'
  return isList ? <TextField {...shared} autoComplete="off" dir="ltr" /> : <NumberField {...shared} />
}

/** How the text of a field is read. */
export type ValueFormat =
  | 'text'
  | 'optionalText'
  | 'integer'
  | 'optionalInteger'
  | 'price'
  | 'ratio'
  | 'lots'
  | 'money'
  | 'integers'
  | 'texts'
  | 'flag'
  | 'hours'

type Terms = InstrumentTerms | TradingTerms
type Value = Terms[keyof Terms] | InstrumentTerms[keyof InstrumentTerms] | TradingTerms[keyof TradingTerms]

const HOUR_MS = 3_600_000

const unitsText = (units: bigint | number, decimals: number): string =>
  decimalText(fromUnits(units, decimals))

/** A value of terms as the text of its field. */
export function fieldTextOf(format: ValueFormat, value: Value): string {
  if (value === null || value === undefined) return ''
  switch (format) {
    case 'price':
      return decimalText(value as Decimal)
    case 'ratio':
      return unitsText(value as number, RATIO_DECIMALS)
    case 'lots':
      return unitsText(value as number, LOTS_DECIMALS)
    case 'money':
      return unitsText(value as bigint, MONEY_DECIMALS)
    case 'integers':
    case 'texts':
      return (value as readonly (number | string)[]).join(', ')
    case 'hours':
      return String((value as number) / HOUR_MS)
    case 'flag':
      return value === true ? 'yes' : 'no'
    default:
      return String(value as string | number)
  }
}

/** Reads the text of a field; undefined where it cannot be read. */
export function fieldValueOf(format: ValueFormat, typed: string): Value | undefined {
  const text = typed.trim()
  if (text === '' && (format === 'optionalText' || format === 'optionalInteger')) return null
  switch (format) {
    case 'text':
    case 'optionalText':
      return text
    case 'flag':
      return text === 'yes'
    case 'integer':
    case 'optionalInteger':
      return integerOf(text)
    case 'integers':
      return integersOf(text)
    case 'texts':
      return partsOf(text)
    case 'price':
      return readDecimal(text, 10) ?? undefined
    case 'ratio':
      return unitsOf(text, RATIO_DECIMALS)
    case 'lots':
      return unitsOf(text, LOTS_DECIMALS)
    case 'hours': {
      const units = parseDecimal(text, 6)
      return units === null ? undefined : Math.round((Number(units) / 1e6) * HOUR_MS)
    }
    case 'money': {
      const units = parseDecimal(text, MONEY_DECIMALS)
      return units === null ? undefined : money(units)
    }
  }
}

const integerOf = (text: string): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined)

const partsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')

function integersOf(text: string): number[] | undefined {
  const values = partsOf(text).map(integerOf)
  return values.includes(undefined) ? undefined : (values as number[])
}

function unitsOf(text: string, decimals: number): Value | undefined {
  const units = parseDecimal(text, decimals)
  return units === null ? undefined : (Number(units) as InstrumentTerms['lotMin'])
}
