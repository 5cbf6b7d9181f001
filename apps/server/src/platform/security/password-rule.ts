import { PASSWORD_LENGTH } from '@fairlot/contract'
import { refuse, type Refusal } from '../refusal.ts'

/** Words that users of a trading site try first and that no list of leaked passwords contains. */
const SITE_SPECIFIC = 'fairlot tradingview forex bitcoin ethereum guest'.split(' ')

/**
 * The 49,000 most common passwords, in lower case; loaded with the first check. The list is imported directly, because the
 * package's index would load its keyboards and word lists too.
 */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const leaked = await import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } })
  return new Set([...leaked.default, ...SITE_SPECIFIC])
}

let common: Promise<ReadonlySet<string>> | null = null

const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
  '@': 'a',
}
const KEYBOARD_RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '01234567890',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]

/** True for a keyboard run or a repetition: "aaaaaaaa", "abcabcabc", "12345678", "qwertyuiop". */
function isPattern(text: string): boolean {
  const backwards = Array.from(text).toReversed().join('')
  if (KEYBOARD_RUNS.some((run) => run.includes(text) || run.includes(backwards))) return true
  return /^(.{1,4})\1+$/u.test(text)
}

/** A guesser tries longer affixes, such as dates, only later. */
const AFFIX_MAX = 4
const DIGITS_ONLY_MIN = 12

const SYMBOL_AFFIXES = /^[^\p{L}\d]+|[^\p{L}\d]+$/gu
const SYMBOL_AND_DIGIT_AFFIXES = /^[^\p{L}]+|[^\p{L}]+$/gu

const withoutAffixes = (text: string, affixes: RegExp): string => {
  const core = text.replace(affixes, '')
  return text.length - core.length <= AFFIX_MAX ? core : text
}

/** True for what a guesser tries first: a common password, or a common word with digits and symbols at its ends. */
export async function isCommon(password: string): Promise<boolean> {
  const small = password.normalize('NFKC').toLowerCase().trim()
  if (/^\d+$/.test(small) && small.length < DIGITS_ONLY_MIN) return true
  const plain = Array.from(small)
    .map((letter) => LEET[letter] ?? letter)
    .join('')
  const known = await (common ??= loadCommon())
  return [small, plain]
    .flatMap((text) => [
      text,
      withoutAffixes(text, SYMBOL_AFFIXES),
      withoutAffixes(text, SYMBOL_AND_DIGIT_AFFIXES),
    ])
    .some((text) => known.has(text) || isPattern(text))
}

/** Refuses a password that is too short, too long, common or equal to the account; null if it is acceptable. `field`: its name on the wire. */
export async function checkPassword(
  password: string,
  account: string,
  field = 'password',
): Promise<Refusal | null> {
  const length = Array.from(password).length
  const { min: minimumLength, max: maximumLength } = PASSWORD_LENGTH
  if (length < minimumLength) return refuse('passwordTooShort', { field, minimumLength })
  if (length > maximumLength) return refuse('passwordTooLong', { field, maximumLength })
  const own = account.toLowerCase()
  const isOwn = [own, own.split('@')[0]].includes(password.toLowerCase())
  return isOwn || (await isCommon(password)) ? refuse('passwordCommon', { field }) : null
}
