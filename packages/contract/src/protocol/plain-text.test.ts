import { describe, expect, test } from 'vitest'
import { decode } from './server.ts'
import { nameLine, nameText, userLine, userText } from './user-text.ts'
import { isNameText, plainLine, plainName, plainText } from './plain-text.ts'

describe('typed text', () => {
  test.each([
    ['marks that turn text around', 'paid \u202e001\u202c\u2066 twice\u2069', 'paid 001 twice'],
    ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
    ['signs without a width', 'f\u200bi\u2060n\ufeffe\u00ad, \u3164really\u115f', 'fine, really'],
    ['tags and annotations', 'x\u{e0041}y\ufff9z', 'xyz'],
    ['control characters', 'a\u0000b\u0007c\u001b[31md\u0080e', 'abc[31mde'],
    ['halves of characters', 'a\ud83dz', 'az'],
  ])('is kept without %s', (_what, given, kept) => {
    expect(plainText(given)).toBe(kept)
  })

  test('keeps joiners of letters and emoji in every script', () => {
    for (const text of [
      'می\u200cخواهم',
      '👩\u200d👩\u200d👧',
      '❤\ufe0f',
      '葛\u{e0100}城',
      'ありがとう',
      'สวัสดี',
      'مرحبا',
    ])
      expect(plainText(text)).toBe(text)
  })

  test('keeps its lines, with uniform line ends', () => {
    expect(plainText(' one\r\ntwo\rthree\u2028four\tfive\n ')).toBe('one\ntwo\nthree\nfour five')
    expect(plainLine('one\r\n two\nthree')).toBe('one two three')
  })

  test('is empty without a visible character', () => {
    for (const text of ['', ' \n\t', '\u200b\u2060', '\u200d\u200c', '\ufe0f', '\u3164 \u202e'])
      expect(plainText(text)).toBe('')
  })

  test('is cleaned by both codecs of typed text', () => {
    expect(decode(userText, 'x\u202ey\nz')).toEqual({ ok: true, value: 'xy\nz' })
    expect(decode(userLine(4), ' \u202ex\u200by\nz ')).toEqual({ ok: true, value: 'xy z' })
    expect(decode(userLine(3), 'xy z')).toMatchObject({ ok: false, reason: 'textTooLong' })
  })
})

describe('a name', () => {
  test.each([
    ['Raj A/L Kumar', 'Raj A/L Kumar'],
    ['Siti @ Aminah binti Ali', 'Siti @ Aminah binti Ali'],
    ['山田\u3000太郎', '山田 太郎'],
    [' Ann\u00a0 Mary\t\u2007Heron\r\n', 'Ann Mary Heron'],
    ['ジョン・スミス', 'ジョン・スミス'],
    ['Maria (Mia) Rossi', 'Maria (Mia) Rossi'],
    ['O´Brien', 'O´Brien'],
    ['O', 'O'],
    ["'t Hooft, Gerard Jr. 3", "'t Hooft, Gerard Jr. 3"],
    ['Jean‑Luc “Jo” d`Arc', 'Jean‑Luc “Jo” d`Arc'],
    ['สมชาย ใจดี', 'สมชาย ใจดี'],
    ['محمد بن عبد الله', 'محمد بن عبد الله'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['葛\u{e0100}城 﨑', '葛\u{e0100}城 﨑'],
    ['J. & K. Heron + Sons GmbH #2 – ™®', 'J. & K. Heron + Sons GmbH #2 – ™®'],
    ['㈱山田', '㈱山田'],
    ['Ann\u200b Heron\ufeff', 'Ann Heron'],
    ['', ''],
    [' \u3000\u00a0', ''],
  ])('is taken as documents carry it, with single spaces: %j', (typed, kept) => {
    expect(isNameText(typed)).toBe(true)
    expect(plainName(typed)).toBe(kept)
    expect(decode(nameLine(100), typed)).toEqual({ ok: true, value: kept })
    expect(decode(nameText, typed)).toEqual({ ok: true, value: kept })
  })

  test.each([
    ['NUL', 'Ann\u0000Heron'],
    ['a control character', 'Ann\u0007Heron'],
    ['a late control character', 'Ann\u0090Heron'],
    ['half a character', 'Ann\ud83d Heron'],
    ['a character of nobody', 'Ann\ue000Heron'],
    ['an override of direction', 'Ann \u202enoreH\u202c'],
    ['an isolate', 'Ann \u2066Heron\u2069'],
    ['a mark of direction', 'Ann\u200e Heron'],
    ['an Arabic mark of direction', 'محمد\u061c'],
    ['an emoji', 'Ann 🙂 Heron'],
    ['an older emoji', 'Ann ❤ Heron'],
    ['a flag', 'Ann 🇩🇪'],
    ['a key', 'Ann 1\ufe0f\u20e3'],
    ['a colour of skin', 'Ann 🏽'],
  ])('is refused with %s', (_what, typed) => {
    expect(isNameText(typed)).toBe(false)
    expect(decode(nameLine(100), typed)).toMatchObject({ ok: false, reason: 'nameInvalid' })
    expect(decode(nameText, typed)).toMatchObject({ ok: false, reason: 'nameInvalid' })
  })

  test('is refused when it is too long, counted without what is left out', () => {
    expect(decode(nameLine(3), ' a\u00a0\u3000b ')).toEqual({ ok: true, value: 'a b' })
    expect(decode(nameLine(3), 'abcd')).toMatchObject({
      ok: false,
      reason: 'textTooLong',
      expected: { most: 3 },
    })
    expect(decode(nameLine(100), 'a'.repeat(10_000))).toMatchObject({ ok: false, reason: 'textTooLong' })
  })
})
