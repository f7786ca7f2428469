export { CertificateAuthority, type CertificateAuthorityOptions } from "./certificate-authority.js";
