import { bugsOf, type Bug } from './bug.ts'

const SERVER = 'apps/server/src/'

const server = (file: string, ...bugs: readonly (readonly [string, string, string])[]): Bug[] =>
  bugsOf(SERVER + file, ...bugs).map((bug) => ({ ...bug, tests: [`${SERVER}desk/canary.wire.test.ts`] }))

/** Queries and guards that forget whose it is: the canary has to be seen. */
export const PRIVACY_BUGS: readonly Bug[] = [
  ...server('support/chat-rows.ts', [
    ".selectAll()\n    .where('user_id', '=', BigInt(userId))\n    .$if(",
    '.selectAll()\n    .$if(',
    'The chat lists the messages of everybody.',
  ]),
  ...server('funds/method-repository.ts', [
    "    .where('user_id', '=', BigInt(userId))\n    .where('kind', '=', kind)\n",
    "    .where('kind', '=', kind)\n",
    'Receiving methods of everybody are listed.',
  ]),
  ...server('funds/receiving-methods.ts', [
    "    .where('user_id', '=', BigInt(user.id))\n",
    '',
    'Anybody removes the receiving methods of anybody.',
  ]),
  ...server('funds/records.ts', [
    ".selectAll()\n      .where('account_id', '=', BigInt(userId))\n",
    '.selectAll()\n',
    'Movements of money are those of everybody.',
  ]),
  ...server('files/routes.ts', [
    'file?.userId === user.id',
    'file',
    'Whoever knows the name of a picture gets it.',
  ]),
  ...server('invite/routes.ts', [
    "      .where('member.invited_by', '=', BigInt(user.id))\n",
    '',
    'Everybody sees whom anybody has invited.',
  ]),
  ...server('user/own-data/money-sections.ts', [
    "queries.selectFrom('withdrawal').selectAll().where('user_id', '=', BigInt(userId)),",
    "queries.selectFrom('withdrawal').selectAll(),",
    'The copy of one’s own data holds the withdrawals of everybody.',
  ]),
  ...server('user/notices.ts', [
    "    .where('user_id', '=', id)\n    .where('kind', 'in', kindsOf(",
    "    .where('kind', 'in', kindsOf(",
    'The bell rings for everybody.',
  ]),
]
