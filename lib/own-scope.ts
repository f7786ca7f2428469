/** What the binding's own scope is called where those of `additionalScopes` go by their keys. */
export const OWN_SCOPE = "scope";
