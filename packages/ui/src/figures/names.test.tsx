import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { SelectField } from '../forms/select-field.tsx'
import { asName, asNames, Name, withNames, withoutNames } from './names.tsx'

const box = () => page.getByTestId('box').element()
const show = (text: Parameters<typeof withNames>[0]) => render(<p data-testid="box">{withNames(text)}</p>)
const marked = () => [...box().querySelectorAll('bdi[translate="no"]')].map(({ textContent }) => textContent)

describe('a text with names in it', () => {
  test('is shown as it was written, and only its names are left alone by a translator', async () => {
    await show(`Assigned to ${asName('Ada Byron')} since ${asName(9)}.`)
    expect(box().textContent).toBe('Assigned to Ada Byron since 9.')
    expect(marked()).toEqual(['Ada Byron', '9'])
  })

  test('may begin and end with one', async () => {
    await show(`${asName('Ada')} and ${asName('Grace')}`)
    expect(marked()).toEqual(['Ada', 'Grace'])
  })

  test('does not turn around the text beside it where that runs in another direction', async () => {
    await show(`${asName('שלום')} 12`)
    expect(getComputedStyle(box().querySelector('bdi') ?? box()).unicodeBidi).toBe('isolate')
  })

  test('is nothing else than its words where it is read out', () => {
    expect(withoutNames(`Remove ${asName('my phone')}`)).toBe('Remove my phone')
    expect(asName('')).toBe('')
  })

  test.each([null, undefined, '', 'No name', 7])('is left as it is without a name: %s', (text) =>
    expect(withNames(text)).toBe(text),
  )
})

test.each([
  ['Your deposit of 1,204.50 USDT was credited.', ['1,204.50', 'USDT']],
  ['Price alert: EUR/USD at 1.08900!', ['EUR/USD', '1.08900']],
  ['Sent to TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC (TRC20).', ['TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC', 'TRC20']],
  ['1,204.50 USDT已入帳', ['1,204.50', 'USDT']],
  ['The account was frozen.', []],
])('figures and codes of a sentence are left alone: %s', async (sentence, names) => {
  await show(asNames(sentence))
  expect(box().textContent).toBe(sentence)
  expect(marked()).toEqual(names)
})

test('an option, which holds plain text only, is left alone as a whole', async () => {
  const options = [
    { value: 'a', label: `${asName('Ada Byron')} (Finance)` },
    { value: 'b', label: 'EUR' },
    { value: 'c', label: 'No one' },
  ] as const
  await render(<SelectField label="To" value="a" options={options} onChange={() => undefined} />)
  const shown = page.getByRole('option').elements() as HTMLOptionElement[]
  expect(shown.map(({ text, translate }) => [text, translate])).toEqual([
    ['Ada Byron (Finance)', false],
    ['EUR', false],
    ['No one', true],
  ])
})

test('a name that stands alone is one by itself', async () => {
  await render(
    <p data-testid="box">
      Published <Name className="font-bold">Calm water</Name>
    </p>,
  )
  expect(marked()).toEqual(['Calm water'])
})
