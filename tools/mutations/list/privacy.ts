import { mutationsOf, type Mutation } from '../mutation.ts'

const SERVER = 'apps/server/src/'

const server = (file: string, ...mutations: readonly (readonly [string, string, string])[]): Mutation[] =>
  mutationsOf(SERVER + file, ...mutations).map((mutation) => ({
    ...mutation,
    tests: [`${SERVER}desk/canary.wire.test.ts`],
  }))

/** Mutations of queries and guards that check the owner; the canary test must catch them. */
export const PRIVACY_MUTATIONS: readonly Mutation[] = [
  ...server('support/chat.ts', [
    ".selectAll()\n    .where('user_id', '=', BigInt(userId))\n    .$if(",
    '.selectAll()\n    .$if(',
    'The chat lists the messages of all users.',
  ]),
  ...server('funds/receiving-methods.ts', [
    "    .where('user_id', '=', BigInt(userId))\n    .where('kind', '=', kind)\n",
    "    .where('kind', '=', kind)\n",
    'The receiving methods of all users are listed.',
  ]),
  ...server('funds/receiving-methods.ts', [
    "  if (!(await findMethod(queries, user.id, id))) return refuse('methodNotFound', { field: 'id' })\n",
    '',
    "A user can remove another user's receiving methods.",
  ]),
  ...server('funds/records.ts', [
    ".selectAll()\n      .where('account_id', '=', BigInt(userId))\n",
    '.selectAll()\n',
    'The account movements of all users are listed.',
  ]),
  ...server('platform/files/routes.ts', [
    'file?.userId === user.id',
    'file',
    'Anybody who knows the name of a picture can read it.',
  ]),
  ...server('accounts/invitations.ts', [
    "      .where('member.invited_by', '=', BigInt(user.id))\n",
    '',
    'The invited users of all users are listed.',
  ]),
  ...server('accounts/own-data/sections.ts', [
    ".select(['approved_at', 'operator.role as approved_role'])\n        .where('user_id', '=', BigInt(userId)),",
    ".select(['approved_at', 'operator.role as approved_role']),",
    'A data export contains the withdrawals of all users.',
  ]),
  ...server('notices/routes.ts', [
    "    .where('user_id', '=', id)\n    .where('kind', 'in', storedKindsOf(",
    "    .where('kind', 'in', storedKindsOf(",
    'The notices of all users are counted.',
  ]),
]
