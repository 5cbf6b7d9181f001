import { expect, test } from 'vitest'
import { ROUTES } from './routes.ts'

/** The table of the specification, line by line: name, path, flags. */
const SPECIFIED = `
home / keep footer
trade /trade keep footer
order /order login keep footer
user /user login keep footer
news /news keep footer
newsDetail /news/detail
rank /rank keep footer
feedback /feedback
login /login
register /register
forgot /forgot
product /product
auth /mine/auth
invite /mine/invite
email /mine/email
announcement /mine/announcement
password /mine/password
history /mine/history
charge /mine/charge
withdraw /mine/withdraw
chat /mine/chat
system /mine/system
wallet /mine/wallet
bankCardList /mine/bank-card-list
coinAddressList /mine/coin-address-list
withdrawWay /mine/withdraw-way
language /language
`

test('every route of the specification is there, with its name, path and flags', () => {
  const lines = ROUTES.map(({ name, path, needsLogin, isKept, hasFooter }) =>
    [name, path, needsLogin && 'login', isKept && 'keep', hasFooter && 'footer'].filter(Boolean).join(' '),
  )
  expect(lines).toEqual(expect.arrayContaining(SPECIFIED.trim().split('\n')))
})
