/** How `probe` is used. */
export const PROBE_HELP = `Usage: cloud-eventgrid probe <url> [options]

Does the handshake that Event Grid does before it delivers to a webhook, and explains what it met.
A URL without a path is probed at /api/events, as a binding's subscriberEndpoint means it.

Options:
  --timeout <seconds>   try again until so much time has passed in all
  --attempts <number>   try again until so many handshakes have failed
                        (without either of the two: one handshake)
  --interval <seconds>  time between two handshakes (default 5)
  --attempt-timeout <seconds>
                        time that one handshake may take (default 10)
  --cloud <name>        public, usgovernment or china (default public)
  --connect-to <host:port>
                        connect there; the URL still tells the name and the certificate's
  --url-env <variable>  take the URL from an environment variable
  --json                print one JSON object instead of text
  --help                print this

Exit codes:
   0  the webhook consents
   1  the probe itself failed
   2  the arguments are wrong
  10  the host name is not found          20  502, 503 or 504: not available
  11  the connection is refused           21  401 or 403: authentication required
  12  no answer in time                   22  a redirect
  13  the certificate is not trusted      23  404 or 405: wrong path
  14  not HTTPS                           24  no consent in the answer
  15  the connection is closed unanswered 25  another status
`;
