import { PASSWORD_LENGTH } from '@fairlot/contract'
import { refuse, type Refusal } from '../http/refusal.ts'

/** What people here would think of first, and no list of leaked passwords has. */
const OF_THIS_TRADE = 'fairlot tradingview forex bitcoin ethereum guest'.split(' ')

/**
 * The 49,000 commonest passwords, in small letters; loaded with the first that is checked. The list alone: the way over the package's
 * index keeps its keyboards and word lists in memory too.
 */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const leaked = await import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } })
  return new Set([...leaked.default, ...OF_THIS_TRADE])
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
const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '01234567890', '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p'],
]

/** What is left of a run or a repeat says nothing: "aaaaaaaa", "abcabcabc", "12345678", "qwertyuiop". */
function isPattern(text: string): boolean {
  const backwards = Array.from(text).toReversed().join('')
  if (RUNS.some((run) => run.includes(text) || run.includes(backwards))) return true
  return /^(.{1,4})\1+$/u.test(text)
}

/** Longer endings, as a date has, are tried later. */
const DRESSING_MAX = 4
const DIGITS_ENOUGH = 12

const SIGNS = /^[^\p{L}\d]+|[^\p{L}\d]+$/gu
const SIGNS_AND_DIGITS = /^[^\p{L}]+|[^\p{L}]+$/gu

const undressed = (text: string, dressing: RegExp): string => {
  const core = text.replace(dressing, '')
  return text.length - core.length <= DRESSING_MAX ? core : text
}

/** True for what a guesser tries first: a common password, or a common word dressed with digits and signs at its ends. */
export async function isCommon(password: string): Promise<boolean> {
  const small = password.normalize('NFKC').toLowerCase().trim()
  if (/^\d+$/.test(small) && small.length < DIGITS_ENOUGH) return true
  const plain = Array.from(small)
    .map((letter) => LEET[letter] ?? letter)
    .join('')
  const known = await (common ??= loadCommon())
  return [small, plain]
    .flatMap((text) => [text, undressed(text, SIGNS), undressed(text, SIGNS_AND_DIGITS)])
    .some((text) => known.has(text) || isPattern(text))
}

/** Why a password cannot be taken; null when it can. Spaces and letters of any script are fine, the account itself is not. */
export async function refusalOfPassword(password: string, account: string): Promise<Refusal | null> {
  const length = Array.from(password).length
  if (length < PASSWORD_LENGTH.least)
    return refuse('passwordTooShort', { minimumLength: PASSWORD_LENGTH.least })
  if (length > PASSWORD_LENGTH.most) return refuse('passwordTooLong', { maximumLength: PASSWORD_LENGTH.most })
  const own = account.toLowerCase()
  const isOwn = [own, own.split('@')[0]].includes(password.toLowerCase())
  return isOwn || (await isCommon(password)) ? refuse('passwordCommon') : null
}
