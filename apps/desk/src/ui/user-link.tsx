import { userNumber } from '@fairlot/contract/desk'
import { Link } from 'react-router'

/** A user's number as a link to their page. In a list with a cursor, Enter follows the link and does not open the row. */
export const UserLink = ({ accountId }: { accountId: number }) => (
  <Link
    to={`/people/${accountId}`}
    onKeyDown={(event) => event.stopPropagation()}
    translate="no"
    className="underline decoration-line underline-offset-4"
  >
    {userNumber(accountId)}
  </Link>
)
