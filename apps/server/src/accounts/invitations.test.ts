import { expect, test } from 'vitest'
import { maskedContact } from './invitations.ts'

test.each([
  ['ann.lee@mail.example', null, 'a•••@m•••.example'],
  ['a@b.co.uk', null, 'a•••@b•••.uk'],
  ['🦉owl@x.example', '+85291234567', '🦉•••@x•••.example'],
  [null, '+85291234567', '•••67'],
  [null, null, '•••'],
])('masks %s and %s as %s', (email, phone, shown) => {
  expect(maskedContact(email, phone)).toBe(shown)
})
