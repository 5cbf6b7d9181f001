/**
 * The names of strategies: what may be in one, and which names the eye confuses. The idea is the skeleton of Unicode
 * Technical Standard #39 for letters that people use to imitate names; the table is short on purpose, because letters
 * of several scripts in one name are refused anyway.
 */
import { plainLine } from '@fairlot/contract'
import { type Refusal, refuse } from '../platform/refusal.ts'

const LENGTH_MIN = 3
const LENGTH_MAX = 40
/** A part of the operator's name that is shorter is no imitation. */
const OPERATOR_NAME_MIN = 3

/** Scripts of which a name has one. Chinese, Japanese and Korean are written together with Latin letters. */
const SCRIPTS = [
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ...['Cyrillic', 'Greek', 'Arabic', 'Thai', 'Hebrew', 'Devanagari', 'Armenian', 'Georgian'].map((one) => [
    one,
  ]),
].map((scripts) => new RegExp(`^[${scripts.map((one) => `\\p{Script=${one}}`).join('')}\\p{Mn}ー]+$`, 'u'))

const ALLOWED = /^[\p{L}\p{Mn}\p{Nd}ー .,&'’+\-–_()!#%/:]+$/u
const COMBINED = /\p{Mn}{3,}/u

/** A name as it is stored, or why it cannot be used. */
export function strategyName(typed: string): string | Refusal {
  const name = typed.normalize('NFC').trim().replaceAll(/ +/g, ' ')
  const letters = Array.from(name)
    .filter((letter) => /\p{L}|\p{Mn}/u.test(letter))
    .join('')
  const length = Array.from(name).length
  const isFine =
    plainLine(name) === name &&
    length >= LENGTH_MIN &&
    length <= LENGTH_MAX &&
    ALLOWED.test(name) &&
    !COMBINED.test(name.normalize('NFD')) &&
    SCRIPTS.some((script) => script.test(letters))
  return isFine ? name : refuse('strategyNameInvalid', { field: 'name' })
}

/** Letters that look like Latin ones, in lower case. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...pairs('авекмнорстухіјѕԁԛԝһѵгпьзбчэ', 'abekmhopctyxijsdqwhvrnb36y3'),
  ...pairs('αβγεηικνορτυχωσκμ', 'abyenikvoptuxwokm'),
  ...pairs('ıłøđħŧðþſ', 'ilodhtdps'),
  ...pairs('0134578|!', 'oleastbll'),
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
}

function pairs(from: string, to: string): Record<string, string> {
  const targets = Array.from(to)
  return Object.fromEntries(Array.from(from).map((letter, index) => [letter, targets[index] ?? letter]))
}

/** The same for names that look the same: without marks, case, spaces and punctuation. */
export function skeletonOf(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
  const looks = Array.from(folded)
    .map((letter) => LOOKS_LIKE[letter] ?? letter)
    .join('')
  return looks
    .replaceAll(/[^\p{L}\p{Nd}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('i', 'l')
}

/** True for a name that contains the operator's, as the eye sees them. */
export function imitates(name: string, operatorName: string): boolean {
  const operator = skeletonOf(operatorName)
  return operator.length >= OPERATOR_NAME_MIN && skeletonOf(name).includes(operator)
}
